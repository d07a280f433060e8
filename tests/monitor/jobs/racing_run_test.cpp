#include "monitor/jobs/racing_run.h"

#include <doctest/doctest.h>

#include "monitor/jobs/run_jobs.h"
#include "shared/time_text.h"
#include "tests/monitor/jobs/run_facts.h"

using namespace rv;
using namespace rv::monitor;
using namespace rv::monitor::test;
using rv::slurm::QueueRow;

TEST_CASE("before a candidate is accepted the run is being submitted, or its submission has stopped") {
  auto facts = race_of(2);
  facts.being_submitted = true;
  CHECK(assess(facts, {}, at(100)).state == RunState::submitting);
  facts.being_submitted = false;
  CHECK(assess(facts, {}, at(100)).state == RunState::unsubmitted);
}

TEST_CASE("a configuring candidate has not started") {
  auto facts = race_of(2);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  const auto view = assess(facts, slurm_says({{10, "PENDING"}, {11, "CONFIGURING"}}), at(100));
  CHECK(view.state == RunState::starting);
  CHECK(!view.winner);
  CHECK(losers(facts, {.answered = true, .trouble = "", .rows = {row(10, "PENDING", "x@k3f9x2.1")}}).empty());
}

TEST_CASE("a queued race shows the reason of its wait") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  std::map<JobId, JobStatus> statuses{{JobId{10}, status_of(row(10, "PENDING", "", "Priority"))}};
  const auto view = assess(facts, statuses, at(100));
  CHECK(view.state == RunState::queued);
  CHECK(view.detail == "way 1: other jobs are ahead in the queue");
}

TEST_CASE("during the pause before a retry the run shows when and why it begins") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  facts.record.job.retries = {.most = 3, .on = {}};
  facts.standing.retry = Entry{};
  facts.standing.retry->more = {{"why", "exit code 75"}, {"asked", 1}, {"pause_s", 10}, {"begins", 110}};
  std::map<JobId, JobStatus> statuses{{JobId{10}, status_of(row(10, "PENDING", "", "BeginTime"))}};
  const auto begins = local_time(at(110));
  CHECK(assess(facts, statuses, at(104)).detail == "retry 1 of 3 in 6s, at " + begins + ": exit code 75");
  CHECK(assess(facts, statuses, at(111)).detail == "retry 1 of 3 starts at " + begins + ": exit code 75");
  statuses[JobId{10}] = status_of(row(10, "PENDING", "", "Priority"));
  CHECK(assess(facts, statuses, at(111)).detail == "way 1: other jobs are ahead in the queue");
}

TEST_CASE("absent is not ended") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  CHECK(assess(facts, {}, at(100)).state == RunState::queued);  // nobody was asked
  CHECK(assess(facts, {{JobId{10}, JobStatus{}}}, at(100)).state == RunState::unknown);
  claimed(facts, 1, 10);
  started(facts);
  CHECK(assess(facts, {}, at(100)).state == RunState::running);
  CHECK(assess(facts, {{JobId{10}, JobStatus{}}}, at(100)).state == RunState::unknown);
}

TEST_CASE("a race whose candidates were all rejected is over, with Slurm's message") {
  auto facts = race_of(2);
  add(facts, EventKind::refused, 1, 0, {{"message", "too much"}});
  facts.being_submitted = true;
  CHECK(!is_final(assess(facts, {}, at(100)).state));
  facts.being_submitted = false;
  add(facts, EventKind::refused, 2, 0, {{"message", "no"}});
  const auto view = assess(facts, {}, at(100));
  CHECK(view.state == RunState::refused);
  CHECK(view.detail == "too much");
}

TEST_CASE("candidates that end before the gate end the run") {
  auto facts = race_of(2);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  CHECK(!is_final(assess(facts, slurm_says({{10, "CANCELLED"}, {11, "PENDING"}}), at(100)).state));
  CHECK(assess(facts, slurm_says({{10, "CANCELLED"}, {11, "CANCELLED"}}), at(100)).state == RunState::stopped);
  CHECK(assess(facts, slurm_says({{10, "FAILED"}, {11, "FAILED"}}), at(100)).state == RunState::lost);
}

TEST_CASE("a stopped race is over even if Slurm still has its jobs") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  facts.claim = Claim{.by_stop = true, .candidate = 0, .job = {}, .node = "login1", .time = at(4)};
  CHECK(assess(facts, slurm_says({{10, "PENDING"}}), at(100)).state == RunState::stopped);
}
