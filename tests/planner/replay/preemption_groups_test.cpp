#include "planner/replay/model/preemption_groups.h"

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
  PreemptionGroups groups(cluster, model);
  REQUIRE(model.room_groups.size() == 2);
  CHECK_FALSE(model.groups_are_qos);
  CHECK(groups.taker(-1, 1, 0) == -1);
  CHECK(groups.taker(-1, 0, 0) == 0);
  CHECK(groups.taker(-1, 0, 1000) == 0);
  REQUIRE(model.takers.size() == 1);
  CHECK(model.takers[0].from == std::vector<bool>{false, true});
  CHECK(model.room_groups[1].taken);
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
  PreemptionGroups groups(cluster, model);
  CHECK(model.groups_are_qos);
  CHECK(groups.qos("urgent") == 1);
  CHECK(groups.qos("normal") == -1);
  CHECK(groups.taker(1, 0, 0) == 0);
  CHECK(groups.taker(0, 0, 0) == -1);
  CHECK(groups.taker(-1, 0, 0) == -1);
}
