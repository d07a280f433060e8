#include "planner/strategies/merge.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

Strategy in(const std::string& partition) {
  Strategy strategy;
  strategy.gpu.name = "a40";
  strategy.gres_type = "a40";
  strategy.partitions = {partition};
  return strategy;
}

std::size_t count(std::vector<Strategy> strategies, const Cluster& cluster = test::afton()) {
  merge_partitions(strategies, cluster);
  return strategies.size();
}

}  // namespace

TEST_CASE("equal strategies become one with a partition list") {
  std::vector<Strategy> both{in("gpu-a40"), in("gpu-v100"), in("gpu-h200")};
  both[1].gpus_per_node = 2;
  merge_partitions(both, test::afton());
  REQUIRE(both.size() == 2);
  CHECK(both[0].partitions == std::vector<std::string>{"gpu-a40", "gpu-h200"});
}

TEST_CASE("anything that Slurm would see otherwise keeps them apart") {
  const auto differs = [](auto change) {
    std::vector<Strategy> both{in("gpu-a40"), in("gpu-v100")};
    change(both[1]);
    return count(both) == 2;
  };
  CHECK_FALSE(differs([](Strategy&) {}));
  CHECK(differs([](Strategy& one) { one.gpu.name = "v100"; }));
  CHECK(differs([](Strategy& one) { one.gres_type = ""; }));
  CHECK(differs([](Strategy& one) { one.nodes = 2; }));
  CHECK(differs([](Strategy& one) { one.kind = Kind::interactive; }));
  CHECK(differs([](Strategy& one) { one.time_limit = std::chrono::seconds(1); }));
  CHECK(differs([](Strategy& one) { one.work_time = std::chrono::seconds(1); }));
  CHECK(differs([](Strategy& one) { one.segments = 2; }));
  CHECK(differs([](Strategy& one) { one.cpus_per_node = 2; }));
  CHECK(differs([](Strategy& one) { one.memory_per_node = Mebibytes{1}; }));
  CHECK(differs([](Strategy& one) { one.constraint = "x"; }));
  CHECK(differs([](Strategy& one) { one.account = "x"; }));
  CHECK(differs([](Strategy& one) { one.qos = "x"; }));
  CHECK(differs([](Strategy& one) { one.exclude = {"x"}; }));
}

TEST_CASE("partitions that preempt otherwise stay apart") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").priority_tier = 5;
  CHECK(count({in("gpu-a40"), in("gpu-v100")}, cluster) == 1);
  cluster.controller.preempt_mode = "REQUEUE";
  CHECK(count({in("gpu-a40"), in("gpu-v100")}, cluster) == 2);
  test::partition_of(cluster, "gpu-a40").priority_tier = 1;
  CHECK(count({in("gpu-a40"), in("gpu-v100")}, cluster) == 1);
  test::partition_of(cluster, "gpu-a40").preempt_mode = "OFF";
  CHECK(count({in("gpu-a40"), in("gpu-v100")}, cluster) == 2);
}

TEST_CASE("a partition of whole nodes stays apart") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").exclusive = true;
  CHECK(count({in("gpu-a40"), in("gpu-v100")}, cluster) == 2);
  test::partition_of(cluster, "gpu-v100").exclusive = true;
  CHECK(count({in("gpu-a40"), in("gpu-v100")}, cluster) == 1);
}

TEST_CASE("an association for one partition keeps it apart") {
  Cluster cluster = test::afton();
  cluster.associations.push_back(cluster.associations[0]);
  cluster.associations[1].partition = "gpu-a40";
  CHECK(count({in("gpu-a40"), in("gpu-v100")}, cluster) == 2);
}
