#include "planner/cluster/cluster.h"

#include <doctest/doctest.h>

using namespace rv::planner;

TEST_CASE("nodes that a partition counts but that Slurm does not show") {
  Cluster cluster;
  for (const char* name : {"gpu", "cloud"}) {
    Partition partition;
    partition.name = name;
    partition.total_nodes = 2;
    cluster.partitions.push_back(partition);
  }
  for (const char* name : {"n1", "n2", "sky1"}) {
    Node node;
    node.name = name;
    node.partitions = {name[0] == 'n' ? "gpu" : "cloud"};
    cluster.nodes.push_back(node);
  }
  CHECK(cluster.hidden_nodes() == std::map<std::string, int>{{"cloud", 1}});
  CHECK(cluster.queue_known());
  cluster.unanswered[jobs_of_others] = "PrivateData";
  CHECK_FALSE(cluster.queue_known());
}

TEST_CASE("things are found by name") {
  rv::planner::Cluster cluster;
  cluster.nodes.resize(2);
  cluster.nodes[1].name = "n2";
  cluster.partitions.resize(1);
  cluster.partitions[0].name = "gpu";
  cluster.qos.resize(1);
  cluster.qos[0].name = "normal";
  CHECK(cluster.find_node("n2") == &cluster.nodes[1]);
  CHECK(cluster.find_node("n3") == nullptr);
  CHECK(cluster.find_partition("gpu") == &cluster.partitions[0]);
  CHECK(cluster.find_partition("cpu") == nullptr);
  CHECK(cluster.find_qos("normal") == &cluster.qos[0]);
  CHECK(cluster.find_qos("other") == nullptr);
}
