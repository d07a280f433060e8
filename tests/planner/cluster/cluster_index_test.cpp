#include "planner/cluster/cluster_index.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

TEST_CASE("one entry for each model and partition, CPU nodes nowhere") {
  const Cluster cluster = test::afton();
  const ClusterIndex index = index_cluster(cluster, test::afton_catalogue());
  CHECK(index.models_in_partitions.size() == 8);
  CHECK(index.models.size() == 8);
  const ModelInPartition* model_in_partition = index.find("gpu-a100-80", "a100_80", "a100");
  REQUIRE(model_in_partition != nullptr);
  CHECK(model_in_partition->nodes.size() == 2);
  CHECK(model_in_partition->nodes[0].total == 8);
  CHECK(model_in_partition->other_models.empty());
  CHECK(index.find("standard", "a40", "a40") == nullptr);
}

TEST_CASE("nodes on which the same gres request gives another model are found") {
  Cluster cluster = test::afton();
  for (Node& node : cluster.nodes) {
    if (node.partitions.front().starts_with("gpu-a100")) node.partitions = {"gpu-a40"};
  }
  test::add_nodes(cluster, "u", 1, "gpu-a40", {"", 4}, 64, 500, {});
  const ClusterIndex index = index_cluster(cluster, test::afton_catalogue());
  CHECK(index.find("gpu-a40", "a100_80", "a100")->other_models.size() == 2);
  CHECK(index.find("gpu-a40", "a40", "a40")->other_models.empty());
  CHECK(index.find("gpu-a40", "gpu", "")->other_models.size() == 6);
}

TEST_CASE("two pools of one model on a node are one place, and all its GPUs share its CPUs") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").gpus = {{"a40", 4, 1}, {"v100", 2}, {"a40", 2, 2}};
  const ClusterIndex index = index_cluster(cluster, test::afton_catalogue());
  const NodeGpus place = index.find("gpu-a40", "a40", "a40")->nodes.front();
  CHECK(place.total == 6);
  CHECK(place.used == 3);
  CHECK(place.node_gpus == 8);
}

TEST_CASE("a partition that the snapshot does not describe is left out") {
  Cluster cluster = test::afton();
  std::erase_if(cluster.partitions, [](const Partition& one) { return one.name == "gpu-a40"; });
  const ClusterIndex index = index_cluster(cluster, test::afton_catalogue());
  CHECK(index.find("gpu-a40", "a40", "a40") == nullptr);
  CHECK(index.models.size() == 8);
}
