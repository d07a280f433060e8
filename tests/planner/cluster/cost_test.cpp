#include "planner/cluster/cost.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

TEST_CASE("cost is GPUs by hours by rate by factor") {
  Strategy strategy;
  strategy.nodes = 2;
  strategy.gpus_per_node = 2;
  strategy.work_time = 90min;
  strategy.gpu.su_per_gpu_hour = 10;
  CHECK(*cost_su(strategy, 2.0, {}) == doctest::Approx(120));
  strategy.kind = Kind::checkpoint;
  strategy.time_limit = 30min;
  strategy.segments = 3;
  CHECK(*cost_su(strategy, 2.0, {}) == doctest::Approx(120));
}

TEST_CASE("a missing rate is unknown, and a rate of zero is known") {
  Strategy strategy;
  strategy.work_time = 1h;
  CHECK_FALSE(cost_su(strategy, 1.0, {}).has_value());
  strategy.gpu.su_per_gpu_hour = 0;
  CHECK(cost_su(strategy, 1.0, {}) == 0.0);
}

TEST_CASE("without a rate the price follows from the partition's billing weights") {
  Cluster cluster;
  Partition partition;
  partition.name = "gpu";
  partition.billing_weights = {{"CPU", 1.0}, {"Mem", 0.25}, {"GRES/gpu", 10}, {"GRES/gpu:a100", 5}};
  cluster.partitions.push_back(partition);
  Strategy strategy;
  strategy.partitions = {"gpu"};
  strategy.gres_type = "a100";
  strategy.nodes = 2;
  strategy.gpus_per_node = 4;
  strategy.cpus_per_node = 16;
  strategy.memory_per_node = Mebibytes{65536};
  strategy.work_time = 30min;
  // 2×16 CPUs, 2×64 GiB, 8 GPUs that are also 8 of their type.
  CHECK(*billing_units(strategy, cluster.partitions[0], BillingRule::sum) == doctest::Approx(32 + 32 + 80 + 40));
  CHECK(*cost_su(strategy, 2.0, cluster) == doctest::Approx(184));
  cluster.controller.priority_flags = {"MAX_TRES"};
  CHECK(*cost_su(strategy, 1.0, cluster) == doctest::Approx(40));
  strategy.gpu.su_per_gpu_hour = 1;
  CHECK(*cost_su(strategy, 1.0, cluster) == doctest::Approx(4));
}

TEST_CASE("MAX_TRES_GRES adds the gres to the largest of the others") {
  Cluster cluster;
  Partition partition;
  partition.name = "gpu";
  // 8 CPUs, 64 GiB, 2 GPUs: 8, 16 and 20.
  partition.billing_weights = {{"cpu", 1.0}, {"mem", 0.25}, {"gres/gpu", 10}};
  cluster.partitions.push_back(partition);
  Strategy strategy;
  strategy.partitions = {"gpu"};
  strategy.gpus_per_node = 2;
  strategy.cpus_per_node = 8;
  strategy.memory_per_node = Mebibytes{65536};
  strategy.work_time = 1h;
  struct Row {
    std::vector<std::string> flags;
    double units;
  };
  for (const Row& row : std::vector<Row>{{{}, 44},
                                         {{"FAIR_TREE"}, 44},
                                         {{"MAX_TRES"}, 20},
                                         {{"ACCRUE_ALWAYS", "MAX_TRES"}, 20},
                                         {{"MAX_TRES_GRES"}, 36},
                                         {{"max_tres_gres", "INCR_ONLY"}, 36},
                                         {{"MAX_TRES", "MAX_TRES_GRES"}, 36}}) {
    cluster.controller.priority_flags = row.flags;
    CAPTURE(row.flags.size());
    CHECK(*cost_su(strategy, 1.0, cluster) == doctest::Approx(row.units));
  }
}

TEST_CASE("the most expensive of several partitions counts, and one without weights makes the price unknown") {
  Cluster cluster;
  for (const auto& [name, weight] : {std::pair{"a", 1.0}, {"b", 3.0}}) {
    Partition partition;
    partition.name = name;
    partition.billing_weights = {{"node", weight}};
    cluster.partitions.push_back(partition);
  }
  Strategy strategy;
  strategy.work_time = 1h;
  strategy.partitions = {"a", "b"};
  CHECK(cost_su(strategy, 1.0, cluster) == 3.0);
  cluster.partitions[0].billing_weights.clear();
  CHECK_FALSE(cost_su(strategy, 1.0, cluster).has_value());
  strategy.partitions = {"b", "elsewhere"};
  CHECK_FALSE(cost_su(strategy, 1.0, cluster).has_value());
}
