#include <doctest/doctest.h>

#include "planner/replay/queue_replay.h"
#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::a_strategy;
using test::median;
using test::pending;
using test::queue_cluster;
using test::running;
using test::starts_at;

TEST_CASE("jobs of a lower tier make room, those of the same tier do not") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  test::add_partition(cluster, "low").max_time = 240h;
  cluster.nodes[1].partitions.push_back("low");
  test::partition_of(cluster, "gpu").priority_tier = 2;
  running(cluster, "2", {"n1"}, 4, 8h, 30min).partitions = {"low"};
  test::partition_of(cluster, "low").preempt_mode = "REQUEUE";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));  // no word of preemption
  cluster.controller.preempt_type = "preempt/partition_prio";
  cluster.controller.preempt_mode = "REQUEUE";
  CHECK(median(cluster, a_strategy(1, 4, 1h)) == 0);
  CHECK(starts_at(median(cluster, a_strategy(2, 4, 1h)), 4h));  // the other node's is of the same tier
  SUBCASE("not of an equal tier") {
    test::partition_of(cluster, "low").priority_tier = 2;
    CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));
  }
  SUBCASE("not where they are suspended only, or left alone") {
    for (const char* mode : {"GANG,SUSPEND", "OFF"}) {
      test::partition_of(cluster, "low").preempt_mode = mode;
      CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));
    }
  }
  SUBCASE("not before their exempt time is over") {
    cluster.controller.preempt_exempt_time = 50min;
    CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 20min));
  }
  SUBCASE("they end at some time in their grace") {
    test::partition_of(cluster, "low").grace_time = 5min;
    const Wait wait = test::wait_of(cluster, a_strategy(1, 4, 1h));
    REQUIRE(wait.p10);
    REQUIRE(wait.p90);
    CHECK(*wait.p10 < 90s);
    CHECK(*wait.p90 > 200s);
    CHECK(*wait.p90 <= 5min);
  }
  SUBCASE("not where QOS decide") {
    cluster.controller.preempt_type = "preempt/qos";
    CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 4h));
  }
}

TEST_CASE("jobs of a QOS make room for those of one that preempts it") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 4, 4h, 30min).qos = "scavenger";
  cluster.controller.preempt_type = "preempt/qos";
  cluster.controller.preempt_mode = "REQUEUE";
  cluster.qos.resize(2);
  cluster.qos[0].name = "scavenger";
  cluster.qos[1].name = "urgent";
  cluster.qos[1].preempts = {"scavenger"};
  Strategy urgent = a_strategy(1, 4, 1h);
  urgent.qos = "urgent";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 1h)), 3h + 30min));
  CHECK(median(cluster, urgent) == 0);
  SUBCASE("by its own mode and exempt time") {
    cluster.qos[0].preempt_exempt_time = 40min;
    CHECK(starts_at(median(cluster, urgent), 10min));
    cluster.qos[0].preempt_mode = "suspend";
    CHECK(starts_at(median(cluster, urgent), 3h + 30min));
  }
  SUBCASE("what nobody has said is reported as not modelled") {
    cluster.unanswered["preemption between QOS"] = "just asked";
    CHECK(test::wait_of(cluster, urgent).basis.ends_with("; not modelled: preemption between QOS"));
  }
}
