#include <doctest/doctest.h>

#include "monitor/jobs/run_jobs.h"
#include "monitor/jobs/run_view.h"
#include "tests/monitor/jobs/run_facts.h"

using namespace rv;
using namespace rv::monitor;
using namespace rv::monitor::test;

namespace {

/// A command in run "holder", whose job is 10.
RunFacts inside() {
  auto facts = race_of(1);
  facts.record.job.inside = templates::Inside{.run = "holder", .job = 10, .job_name = "up@holder.1"};
  return facts;
}

RunFacts ended_by_term(int code) {
  auto facts = inside();
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = code, .time = at(50), .job = JobId{10}, .kind = ExitKind::terminated};
  return facts;
}

RunView seen(const RunFacts& facts, const char* state, int now = 100) {
  return assess(facts, slurm_says({{10, state}}), at(now));
}

}  // namespace

TEST_CASE("a command inside a run waits while an srun waits for its GPUs, and is unsubmitted without one") {
  auto facts = inside();
  facts.being_submitted = true;
  auto view = assess(facts, {}, at(5));
  CHECK(view.state == RunState::queued);
  CHECK(view.detail == "waits for way 1 in run holder");
  facts.being_submitted = false;
  CHECK(assess(facts, {}, at(5)).state == RunState::unsubmitted);
  add(facts, EventKind::refused, 1, 0, {{"message", "run holder ended before the command started"}});
  view = assess(facts, {}, at(5));
  CHECK(view.state == RunState::refused);
  CHECK(view.detail == "run holder ended before the command started");
}

TEST_CASE("a command inside a run is looked up by that run's job, and never among its jobs to cancel") {
  auto facts = inside();
  claimed(facts, 1, 10);
  started(facts);
  REQUIRE(open_jobs(facts).size() == 1);
  CHECK(open_jobs(facts)[0] == JobKey{JobId{10}, "up@holder.1"});
  QueueView queue{.answered = true, .trouble = "", .rows = {row(10, "RUNNING", "up@holder.1")}};
  CHECK(live_jobs(facts, queue).empty());
  CHECK(losers(facts, queue).empty());
  facts.outcome = Outcome{.state = RunState::done, .exit_code = 0, .detail = "", .time = at(9)};
  CHECK(live_jobs(facts, queue).empty());
  CHECK(losers(facts, queue).empty());
}

TEST_CASE("the nodes of a command inside a run are its own, not all of that run's") {
  auto facts = inside();
  claimed(facts, 1, 10);
  started(facts);
  const auto view = seen(facts, "RUNNING");
  CHECK(view.state == RunState::running);
  CHECK(view.detail == "in run holder on n1");
}

TEST_CASE("a command that ended with the job of its run has the end of that job") {
  CHECK(seen(ended_by_term(143), "TIMEOUT").state == RunState::timeout);
  CHECK(seen(ended_by_term(143), "TIMEOUT").detail == "the job of run holder hit its time limit");
  CHECK(seen(ended_by_term(143), "CANCELLED").state == RunState::stopped);
  CHECK(seen(ended_by_term(143), "NODE_FAIL").state == RunState::node_failure);
  CHECK(seen(ended_by_term(143), "COMPLETED").detail == "run holder ended");
}

TEST_CASE("a TERM to the command's step only is a failure, once the job of its run has not ended with it") {
  CHECK(seen(ended_by_term(143), "RUNNING", 55).state == RunState::ending);
  const auto view = seen(ended_by_term(143), "RUNNING", 61);
  CHECK(view.state == RunState::failed);
  CHECK(view.exit_code == 143);
  auto stopped = ended_by_term(143);
  stopped.stop_requested = true;
  CHECK(seen(stopped, "RUNNING").state == RunState::stopped);
}

TEST_CASE("a step that ended without a record is lost, and stopped if that was requested") {
  auto facts = inside();
  claimed(facts, 1, 10);
  started(facts);
  auto statuses = slurm_says({{10, "RUNNING"}});
  statuses[JobId{10}].phase = Phase::ended;
  statuses[JobId{10}].step_ended = true;
  CHECK(assess(facts, statuses, at(9)).state == RunState::lost);
  facts.stop_requested = true;
  CHECK(assess(facts, statuses, at(9)).state == RunState::stopped);
}
