#include "planner/strategies/prune.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;
using Names = std::vector<std::string>;

namespace {

/// Nodes an33-1 and an33-2 in "wide", an33-2 also in "narrow".
Cluster nested() {
  Cluster cluster = test::afton();
  test::add_partition(cluster, "wide");
  test::add_partition(cluster, "narrow");
  test::node_of(cluster, "an33-1").partitions = {"wide"};
  test::node_of(cluster, "an33-2").partitions = {"wide", "narrow"};
  return cluster;
}

Strategy in(Names partitions) {
  Strategy strategy;
  strategy.gpu.name = "a40";
  strategy.gres_type = "a40";
  strategy.partitions = std::move(partitions);
  strategy.cpus_per_node = 8;
  strategy.memory_per_node = test::gb(100);
  strategy.cost_su = 1;
  return strategy;
}

Names left(std::vector<Strategy> strategies, const Cluster& cluster) {
  prune(strategies, index_cluster(cluster, test::afton_catalogue()));
  return test::summary(strategies);
}

const Names only_wide{"a40 1x1 plain [wide]"};

}  // namespace

TEST_CASE("a partition whose nodes another one also has is removed") {
  CHECK(left({in({"narrow", "wide"})}, nested()) == only_wide);
  CHECK(left({in({"narrow"}), in({"wide"})}, nested()) == only_wide);
}

TEST_CASE("disjoint partitions and equal ones stay") {
  CHECK(left({in({"gpu-a40", "wide"})}, test::afton()).size() == 1);
  Cluster cluster = nested();
  test::node_of(cluster, "an33-1").partitions = {"wide", "narrow"};
  CHECK(left({in({"narrow", "wide"})}, cluster) == Names{"a40 1x1 plain [narrow,wide]"});
  test::partition_of(cluster, "narrow").priority_tier = 0;
  CHECK(left({in({"narrow", "wide"})}, cluster) == only_wide);
}

TEST_CASE("an advantage in the queue keeps the smaller partition") {
  const auto stays = [](auto change) {
    Cluster cluster = nested();
    change(test::partition_of(cluster, "narrow"));
    return left({in({"narrow", "wide"})}, cluster) == Names{"a40 1x1 plain [narrow,wide]"};
  };
  CHECK_FALSE(stays([](Partition&) {}));
  CHECK(stays([](Partition& one) { one.priority_tier = 2; }));
  CHECK(stays([](Partition& one) { one.priority_job_factor = 2; }));
  CHECK(stays([](Partition& one) { one.qos = "special"; }));
  CHECK(stays([](Partition& one) { one.preempt_mode = "REQUEUE"; }));
  CHECK(stays([](Partition& one) { one.exclusive = true; }));
  CHECK(stays([](Partition& one) { one.forced_sharing = true; }));
  CHECK(stays([](Partition& one) { one.max_cpus_per_node = 4; }));
}

TEST_CASE("a dearer or greedier strategy does not push out another") {
  const auto both_stay = [](auto change) {
    Strategy wide = in({"wide"});
    change(wide);
    return left({in({"narrow"}), wide}, nested()).size() == 2;
  };
  CHECK_FALSE(both_stay([](Strategy&) {}));
  CHECK(both_stay([](Strategy& one) { one.cost_su = 2; }));
  CHECK(both_stay([](Strategy& one) { one.cost_su.reset(); }));
  CHECK(both_stay([](Strategy& one) { one.cpus_per_node = 9; }));
  CHECK(both_stay([](Strategy& one) { one.memory_per_node = test::gb(101); }));
}

TEST_CASE("kinds, models, splits and times are never held against each other") {
  const auto both_stay = [](auto change) {
    Strategy narrow = in({"narrow"});
    change(narrow);
    return left({narrow, in({"wide"})}, nested()).size() == 2;
  };
  CHECK(both_stay([](Strategy& one) { one.kind = Kind::checkpoint; }));
  CHECK(both_stay([](Strategy& one) { one.kind = Kind::interactive; }));
  CHECK(both_stay([](Strategy& one) { one.kind = Kind::mig; }));
  CHECK(both_stay([](Strategy& one) { one.nodes = 2; }));
  CHECK(both_stay([](Strategy& one) { one.gpus_per_node = 2; }));
  CHECK(both_stay([](Strategy& one) { one.time_limit = std::chrono::seconds(1); }));
  CHECK(both_stay([](Strategy& one) { one.account = "other"; }));
}

TEST_CASE("two models on the same nodes stay, however few have the one") {
  Cluster cluster = nested();
  for (const char* name : {"an33-1", "an33-2"}) test::node_of(cluster, name).gpus.push_back({"v100", 2});
  Strategy other = in({"wide"});
  other.gpu.name = other.gres_type = "v100";
  CHECK(left({in({"narrow"}), other}, cluster).size() == 2);
}

TEST_CASE("nodes that a constraint leaves out do not count") {
  Strategy wide = in({"wide"});
  wide.exclude = {"an33-2"};
  CHECK(left({in({"narrow"}), wide}, nested()).size() == 2);
}
