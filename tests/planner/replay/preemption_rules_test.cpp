#include "planner/replay/model/preemption_rules.h"

#include <doctest/doctest.h>

#include "tests/planner/queue.h"

using namespace rv::planner;

TEST_CASE("a partition of a higher tier takes from one that makes room, once") {
  Cluster cluster = test::queue_cluster(1, 4);
  test::add_partition(cluster, "low").preempt_mode = "REQUEUE";
  test::partition_of(cluster, "gpu").priority_tier = 2;
  cluster.controller.preempt_type = "preempt/partition_prio";
  cluster.controller.preempt_mode = "REQUEUE";
  ReplayModel model;
  PreemptionRules groups(cluster, model);
  REQUIRE(model.preemption_groups.size() == 2);
  CHECK_FALSE(model.groups_are_qos);
  CHECK(groups.preemptor(-1, 1, 0) == -1);
  CHECK(groups.preemptor(-1, 0, 0) == 0);
  CHECK(groups.preemptor(-1, 0, 1000) == 0);
  REQUIRE(model.preemptors.size() == 1);
  CHECK(model.preemptors[0].may_preempt == std::vector<bool>{false, true});
  CHECK(model.preemption_groups[1].has_preemptor);
  CHECK(groups.qos("normal") == -1);
}

TEST_CASE("with preempt/qos the groups are the QOS") {
  Cluster cluster = test::queue_cluster(1, 4);
  cluster.controller.preempt_type = "preempt/qos";
  cluster.controller.preempt_mode = "REQUEUE";
  cluster.qos.resize(2);
  cluster.qos[0].name = "scavenger";
  cluster.qos[1].name = "urgent";
  cluster.qos[1].preempts = {"scavenger"};
  ReplayModel model;
  PreemptionRules groups(cluster, model);
  CHECK(model.groups_are_qos);
  CHECK(groups.qos("urgent") == 1);
  CHECK(groups.qos("normal") == -1);
  CHECK(groups.preemptor(1, 0, 0) == 0);
  CHECK(groups.preemptor(0, 0, 0) == -1);
  CHECK(groups.preemptor(-1, 0, 0) == -1);
}
