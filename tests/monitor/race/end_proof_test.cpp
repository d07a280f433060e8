#include "monitor/race/end_proof.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

RunView in(RunState state) {
  RunView view;
  view.state = state;
  return view;
}

const ExitRecord well{.code = 0, .time = {}, .job = JobId{10}, .kind = ExitKind::exited};
const EndObservation sure{.asked = true, .job_alive = false, .settled = true};

}  // namespace

TEST_CASE("a run that continues or has an outcome is unchanged") {
  for (const auto state : {RunState::submitting, RunState::unsubmitted, RunState::queued, RunState::starting,
                           RunState::running, RunState::holding, RunState::ending, RunState::unknown}) {
    CHECK(!is_certain_end({}, in(state), sure));
  }
  RunFacts with_outcome;
  with_outcome.exit = well;
  with_outcome.outcome = Outcome{};
  CHECK(!is_certain_end(with_outcome, in(RunState::done), sure));
}

TEST_CASE("the run's own record proves its end, independently of Slurm") {
  RunFacts exited;
  exited.exit = well;
  CHECK(is_certain_end(exited, in(RunState::done), {}));
  CHECK(is_certain_end(exited, in(RunState::done), {.asked = true, .job_alive = true, .settled = false}));
  RunFacts stopped;
  stopped.claim = Claim{.by_stop = true, .candidate = 0, .job = {}, .node = "login", .time = {}};
  CHECK(is_certain_end(stopped, in(RunState::stopped), {}));
  CHECK(is_certain_end({}, in(RunState::refused), {}));
}

TEST_CASE(
    "without a record, the end needs Slurm's report that no job is alive, for longer than a record may be delayed") {
  for (const bool asked : {false, true}) {
    for (const bool alive : {false, true}) {
      for (const bool settled : {false, true}) {
        const bool certain = asked && !alive && settled;
        CAPTURE(asked);
        CAPTURE(alive);
        CAPTURE(settled);
        for (const auto state : {RunState::lost, RunState::timeout, RunState::node_failure, RunState::stopped}) {
          CHECK(is_certain_end({}, in(state), {.asked = asked, .job_alive = alive, .settled = settled}) == certain);
        }
      }
    }
  }
}

TEST_CASE("after an unexplained TERM rv waits: a later start of the job may explain it") {
  RunFacts facts;
  facts.exit = ExitRecord{.code = 143, .time = {}, .job = JobId{10}, .kind = ExitKind::terminated};
  auto view = in(RunState::failed);
  CHECK(is_certain_end(facts, view, {}));
  view.unexplained_term = true;
  CHECK(!is_certain_end(facts, view, {.asked = true, .job_alive = false, .settled = false}));
  CHECK(is_certain_end(facts, view, sure));
}

TEST_CASE("a copy that left no mark is waited for as a record is") {
  RunFacts facts;
  facts.exit = well;
  facts.copies = {.announced = 1};
  auto view = in(RunState::done);
  view.output_copy = CopyState::timeout;
  CHECK(!is_certain_end(facts, view, {}));
  CHECK(!is_certain_end(facts, view, {.asked = true, .job_alive = false, .settled = false}));
  CHECK(is_certain_end(facts, view, sure));
  facts.copies.copied = 1;
  view.output_copy = CopyState::copied;
  CHECK(is_certain_end(facts, view, {}));
}

TEST_CASE("a claim by a job is not proof of an end") {
  RunFacts claimed;
  claimed.claim = Claim{.by_stop = false, .candidate = 1, .job = JobId{10}, .node = "n1", .time = {}};
  CHECK(!is_proved(claimed, in(RunState::lost)));
}

TEST_CASE("an end after a request to end proves nothing where the job may be in the queue again in a moment") {
  for (const auto kind : {ExitKind::terminated, ExitKind::preempted}) {
    RunFacts facts;
    facts.exit = ExitRecord{.code = 143, .time = {}, .job = JobId{10}, .kind = kind};
    CHECK(is_proved(facts, in(RunState::preempted)));
    facts.record.job.requeue = true;
    CHECK(!is_proved(facts, in(RunState::preempted)));
    CHECK(!is_certain_end(facts, in(RunState::preempted), {.asked = true, .job_alive = true, .settled = true}));
    facts.stop_requested = true;
    CHECK(is_proved(facts, in(RunState::stopped)));
    facts.stop_requested = false;
    facts.exit->kind = ExitKind::exited;
    CHECK(is_proved(facts, in(RunState::failed)));
  }
}
