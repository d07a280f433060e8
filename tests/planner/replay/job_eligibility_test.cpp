#include "planner/replay/jobs/job_eligibility.h"

#include <doctest/doctest.h>

#include "tests/planner/replay_parts.h"

using namespace rv::planner;

TEST_CASE("eligible: from the begin time on, as long as there are tasks") {
  test::SmallReplay small(1);
  const int number = small.add_waiting(0, 100);
  small.component.entries[0].eligible = 50;
  JobEligibility jobs(small.model);
  jobs.reset(small.component);
  const QueueEntry& row = small.component.entries[static_cast<std::size_t>(number)];
  CHECK_FALSE(jobs.ready(row, 49));
  CHECK(jobs.ready(row, 50));
  CHECK(jobs.start(row.job) == 0);
  CHECK_FALSE(jobs.ready(row, 60));
  jobs.end(row.job, /*is_requeued=*/true, 70);
  CHECK(jobs.last_freed() == 0);
  jobs.requeue(row.job);
  CHECK(jobs.ready(row, 80));
}

TEST_CASE("eligible: a dependency is over with the last task") {
  test::SmallReplay small(1);
  small.add_waiting(0, 100);
  small.add_waiting(0, 100);
  small.model.jobs[0].tasks = 2;
  small.model.jobs[1].after = {0};
  small.component.entries[1].bound = true;
  JobEligibility jobs(small.model);
  jobs.reset(small.component);
  CHECK(jobs.start(0) == 1);
  CHECK(jobs.start(0) == 0);
  jobs.end(0, false, 10);
  CHECK_FALSE(jobs.ready(small.component.entries[1], 10));
  CHECK(jobs.last_freed() == 0);
  jobs.end(0, false, 20);
  CHECK(jobs.ready(small.component.entries[1], 20));
  CHECK(jobs.last_freed() == 20);
}

TEST_CASE("eligible: an array's throttle and shared limits hold back while others run") {
  test::SmallReplay small(1);
  small.add_waiting(0, 100);
  small.add_waiting(0, 100);
  for (QueueEntry& row : small.component.entries) row.bound = true;
  SUBCASE("throttle") {
    small.model.arrays = {{1, 0}};
    for (ReplayJob& job : small.model.jobs) job.array = 0;
  }
  SUBCASE("limit") {
    small.model.counters.resize(1);
    small.model.limits.resize(1);
    small.model.limits[0].most_jobs = 1;
    for (ReplayJob& job : small.model.jobs) job.limits = job.counters = {0};
  }
  JobEligibility jobs(small.model);
  jobs.reset(small.component);
  jobs.start(0);
  CHECK_FALSE(jobs.ready(small.component.entries[1], 5));
  jobs.end(0, false, 10);
  CHECK(jobs.ready(small.component.entries[1], 10));
  jobs.start(1);
  jobs.reset(small.component);
  CHECK(jobs.ready(small.component.entries[0], 0));
  CHECK(jobs.tasks_left(1) == 1);
}
