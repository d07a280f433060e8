#include "planner/strategies/resources.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

struct Case {
  Cluster cluster = test::afton();
  Request request;

  template <typename Use>
  void in(const std::string& partition, const Use& use) const {
    const ClusterIndex index = index_cluster(cluster, test::afton_catalogue());
    for (const ModelInPartition& model_in_partition : index.models_in_partitions) {
      if (model_in_partition.partition->name != partition) continue;
      std::vector<const NodeGpus*> places;
      for (const NodeGpus& place : model_in_partition.nodes) places.push_back(&place);
      use(model_in_partition, places,
          effective_limits(cluster, *model_in_partition.partition, cluster.find_qos("normal"), nullptr));
      return;
    }
  }

  Resources resources(const std::string& partition, int nodes, int gpus) const {
    Resources chosen;
    in(partition, [&](const auto& model_in_partition, const auto& places, const Limits& limits) {
      chosen = choose_resources(places, model_in_partition.model.mig, nodes, gpus, limits, request);
    });
    return chosen;
  }

  void take_whole_nodes(const std::string& partition, Resources& chosen) const {
    in(partition, [&](const auto& /*model_in_partition*/, const auto& places, const Limits& limits) {
      planner::take_whole_nodes(chosen, places, 1, limits, request);
    });
  }
};

}  // namespace

TEST_CASE("CPUs are the GPUs' share of the node, at most eight a GPU") {
  const Case afton;
  CHECK(afton.resources("gpu-a6000", 1, 4).cpus == 24);
  CHECK(afton.resources("gpu-a40", 1, 2).cpus == 16);
  CHECK(afton.resources("gpu-v100", 1, 4).cpus == 32);
  CHECK(afton.resources("gpu-a6000", 1, 8).cpus == 48);
}

TEST_CASE("a node with fewer CPUs than GPUs still gives one a GPU, as far as it has them") {
  Case poor;
  test::node_of(poor.cluster, "an33-1").cpus = 6;
  CHECK(poor.resources("gpu-a40", 1, 2).cpus == 2);
  CHECK(poor.resources("gpu-a40", 1, 8).cpus == 6);
}

TEST_CASE("memory is the share of 90 % of the node, in whole GiB, 16 GiB at least") {
  Case afton;
  CHECK(afton.resources("gpu-a100-80", 1, 2).memory == test::gb(439));  // 1953 × 0.9 / 4
  CHECK(afton.resources("gpu-a6000", 1, 1).memory == test::gb(28));
  CHECK(afton.resources("gpu-a6000", 1, 8).memory == test::gb(225));
  test::node_of(afton.cluster, "an28-1").memory = test::gb(64);
  CHECK(afton.resources("gpu-a6000", 1, 1).memory == test::gb(16));
  test::node_of(afton.cluster, "an28-1").memory = test::gb(10);
  CHECK(afton.resources("gpu-a6000", 1, 1).memory == test::gb(9));
}

TEST_CASE("the smallest node decides") {
  Case mixed;
  test::node_of(mixed.cluster, "an33-2").cpus = 32;
  test::node_of(mixed.cluster, "an33-1").memory = test::gb(400);
  CHECK(mixed.resources("gpu-a40", 1, 2).cpus == 8);
  CHECK(mixed.resources("gpu-a40", 1, 2).memory == test::gb(90));
}

TEST_CASE("0 is all memory of the nodes, of which the smallest counts") {
  Case afton;
  afton.request.memory = Mebibytes{0};
  test::node_of(afton.cluster, "an28-1").memory = test::gb(64);
  const Resources chosen = afton.resources("gpu-a6000", 1, 1);
  CHECK(chosen.memory == test::gb(64));
  CHECK(chosen.all_memory);
  CHECK(chosen.cpus == 6);
}

TEST_CASE("whole nodes raise what was left open, as far as limits allow") {
  Case afton;
  Resources chosen = afton.resources("gpu-a6000", 1, 1);
  afton.take_whole_nodes("gpu-a6000", chosen);
  CHECK(chosen.cpus == 48);
  CHECK(chosen.memory == test::node_of(afton.cluster, "an28-1").memory);
  CHECK(chosen.all_memory);

  afton.request.cpus = 4;
  afton.request.memory = test::gb(10);
  chosen = afton.resources("gpu-a6000", 1, 1);
  afton.take_whole_nodes("gpu-a6000", chosen);
  CHECK(chosen.cpus == 4);
  CHECK(chosen.memory == test::gb(10));
  CHECK(!chosen.all_memory);

  afton.request = {};
  test::partition_of(afton.cluster, "gpu-a6000").max_memory_per_cpu = test::gb(1);
  chosen = afton.resources("gpu-a6000", 1, 1);
  afton.take_whole_nodes("gpu-a6000", chosen);
  CHECK(chosen.memory == test::gb(48));
  CHECK(!chosen.all_memory);
}

TEST_CASE("memory is never zero, which would be the whole node") {
  Case unset;
  test::node_of(unset.cluster, "an33-1").memory = Mebibytes{1};
  CHECK(unset.resources("gpu-a40", 1, 1).memory == Mebibytes{1});
}

TEST_CASE("a MIG slice takes one CPU and stays below MaxMemPerCPU") {
  Case mig;
  CHECK(mig.resources("gpu-mig", 1, 1).cpus == 1);
  CHECK(mig.resources("gpu-mig", 1, 1).memory == Mebibytes{9000});
  test::partition_of(mig.cluster, "gpu-mig").max_memory_per_cpu.reset();
  CHECK(mig.resources("gpu-mig", 1, 1).memory == test::gb(16));
  test::node_of(mig.cluster, "an37-1").memory = test::gb(560);
  CHECK(mig.resources("gpu-mig", 1, 1).memory == test::gb(9));
}

TEST_CASE("defaults shrink to the limits") {
  Case limited;
  test::qos_of(limited.cluster, "normal").max_tres_per_job = {{"cpu", 10}, {"mem", 100 * 1024}};
  CHECK(limited.resources("gpu-a40", 1, 4).cpus == 10);
  CHECK(limited.resources("gpu-a40", 2, 2).cpus == 5);
  CHECK(limited.resources("gpu-a40", 1, 4).memory == test::gb(100));
  CHECK(limited.resources("gpu-a40", 2, 2).memory == test::gb(50));
  test::partition_of(limited.cluster, "gpu-a40").max_cpus_per_node = 3;
  CHECK(limited.resources("gpu-a40", 2, 2).cpus == 3);
  limited.cluster.controller.max_memory_per_cpu = Mebibytes{1000};
  CHECK(limited.resources("gpu-a40", 2, 2).memory == Mebibytes{3000});
}

TEST_CASE("the user's numbers are unchanged") {
  Case own;
  own.request.cpus = 3;
  own.request.memory = test::gb(5);
  CHECK(own.resources("gpu-a40", 1, 8).cpus == 3);
  CHECK(own.resources("gpu-a40", 1, 8).memory == test::gb(5));
}

TEST_CASE("memory above MaxMemPerCPU visibly raises the CPUs, or has a reason") {
  Case own;
  own.request.memory = Mebibytes{18000};
  CHECK(own.resources("gpu-mig", 1, 1).cpus == 2);
  CHECK(own.resources("gpu-mig", 1, 1).refusal.empty());
  own.request.memory = Mebibytes{18001};
  CHECK(own.resources("gpu-mig", 1, 1).refusal ==
        "gpu-mig: 18001M memory needs 3 CPUs (MaxMemPerCPU 9000M); 2 CPUs a job are allowed (QOS mig MaxTRESPerJob "
        "cpu=2)");
  own.request.memory = test::gb(16);
  own.request.cpus = 1;
  CHECK(own.resources("gpu-mig", 1, 1).cpus == 2);
  CHECK(own.resources("gpu-mig", 1, 1).refusal.empty());
  own.request.cpus.reset();
  own.cluster.controller.max_memory_per_cpu = Mebibytes{1000};
  own.request.memory = test::gb(128);
  CHECK(own.resources("gpu-a40", 1, 2).refusal.find("a node has 96") != std::string::npos);
}
