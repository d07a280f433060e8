// Small parts of a scheduling pass, each by itself.
#include <doctest/doctest.h>

#include "planner/replay/passes/backfill_limits.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/hypothetical_starts.h"
#include "planner/replay/passes/pass_schedule.h"
#include "planner/replay/passes/per_pass.h"
#include "tests/planner/replay_parts.h"

using namespace rv::planner;

TEST_CASE("values of a pass are fresh in the next one") {
  PerPass<int> values(2, -1);
  CHECK(values.of(0) == -1);
  values[0] = 5;
  ++values[1];
  CHECK(values.of(0) == 5);
  CHECK(values.of(1) == 0);
  values.begin_pass();
  CHECK(values.of(0) == -1);
  CHECK(values[1] == -1);
}

TEST_CASE("passes come in their interval, then in coarse steps") {
  PassSchedule schedule(30, 2, 10);
  schedule.begin(7);
  for (const ReplayTime expected : {7, 37}) {
    CHECK(schedule.next() == expected);
    schedule.reach();
    CHECK_FALSE(schedule.coarse());
    CHECK(schedule.dated_back(expected, 3) == expected);
    schedule.leave();
  }
  schedule.skip_until(68);
  CHECK(schedule.next() == 97);  // in step
  schedule.skip_until(1000);
  CHECK(schedule.next() == 1027);
}

TEST_CASE("in a coarse step a start has the time of the pass that would have found the nodes free") {
  PassSchedule schedule(30, 0, 10);
  schedule.begin(600);
  schedule.reach();
  CHECK(schedule.coarse());
  schedule.leave();
  CHECK(schedule.next() == 660);
  schedule.reach();
  CHECK(schedule.dated_back(660, 620) == 635);
  CHECK(schedule.dated_back(660, 10) == 601);
  CHECK(schedule.dated_back(660, 659) == 660);
}

TEST_CASE("a job blocks its partition for all, a hypothetical job only for jobs, until the next pass") {
  const test::SmallReplay small(2);
  BlockedPartitions blocked(small.model);
  blocked.begin_pass();
  blocked.block_by_hypothetical(0);
  CHECK(blocked.by_anybody(0));
  CHECK_FALSE(blocked.by_job(0));
  blocked.block_by_job(0);
  CHECK(blocked.by_job(0));
  CHECK_FALSE(blocked.node(1));
  blocked.block_nodes_of(0);
  CHECK(blocked.node(1));
  blocked.begin_pass();
  CHECK_FALSE(blocked.by_anybody(0));
  CHECK_FALSE(blocked.node(1));
}

TEST_CASE("backfill considers a limited number of jobs of a user and of a partition") {
  test::SmallReplay small(1);
  small.model.users = 2;
  small.model.times.per_user = 1;
  small.model.times.per_partition = 3;
  BackfillLimits limits(small.model);
  QueueEntry first;
  first.user = 0;
  QueueEntry second;
  second.user = 1;
  limits.begin_pass();
  CHECK(limits.admits(first));
  CHECK_FALSE(limits.admits(first));
  CHECK(limits.admits(second));
  CHECK_FALSE(limits.admits(QueueEntry()));  // the fourth of the partition
  limits.begin_pass();
  CHECK(limits.admits(first));
  CHECK(limits.admits(QueueEntry()));  // nobody knows whose
}

TEST_CASE("hypothetical jobs: shorter limits start first, and a hypothetical job that has started no longer waits") {
  HypotheticalJob hypothetical;
  hypothetical.limits = {10, 20, 30};
  hypothetical.asked = 1;
  const std::vector<HypotheticalJob> hypotheticals{HypotheticalJob(), hypothetical};
  Component component;
  component.hypotheticals = {1};
  HypotheticalStarts starts(hypotheticals);
  starts.begin(component);
  CHECK(starts.waiting() == 1);
  CHECK(starts.next_limit(0) == 10);
  starts.start(0, 15, 100);
  CHECK(starts.waits(0));
  CHECK(starts.next_limit(0) == 20);
  starts.start(0, 25, 200);
  CHECK_FALSE(starts.waits(0));
  CHECK(starts.waiting() == 0);
  CHECK_FALSE(starts.all_started(0));
  starts.start(0, 30, 300);
  CHECK(starts.all_started(0));
  CHECK(starts.waiting() == 0);
  starts.see_window(0, 25);
  starts.see_window(0, 5);
  CHECK(starts.outcomes()[0].starts == std::vector<ReplayTime>{100, 200, 300});
  CHECK(starts.outcomes()[0].window == 25);
}
