#include "monitor/jobs/ended_run.h"

#include <doctest/doctest.h>

#include "monitor/jobs/run_jobs.h"
#include "tests/monitor/jobs/run_facts.h"

using namespace rv;
using namespace rv::monitor;
using namespace rv::monitor::test;
using rv::slurm::QueueRow;

TEST_CASE("the command's own exit code overrides Slurm's state") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  facts.exit = ExitRecord{.code = 3, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
  for (const char* word : {"RUNNING", "COMPLETING", "FAILED", "COMPLETED", "WARPED"}) {
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::failed);
    CHECK(view.exit_code == 3);
  }
  facts.exit->code = 0;
  CHECK(assess(facts, {}, at(100)).state == RunState::done);
}

TEST_CASE("a command that received a TERM ended for Slurm's reason, not with its own code") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  const std::pair<const char*, RunState> ends[] = {{"TIMEOUT", RunState::timeout},
                                                   {"CANCELLED", RunState::stopped},
                                                   {"PREEMPTED", RunState::preempted},
                                                   {"NODE_FAIL", RunState::node_failure},
                                                   {"OUT_OF_MEMORY", RunState::out_of_memory}};
  for (const auto& [end, state] : ends) {
    const char* const word = end;
    CAPTURE(word);
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == state);
    CHECK(!view.exit_code);
  }
}

TEST_CASE("a later attempt that begins no user code does not hide the end of the one before") {
  auto facts = race_of(1);
  facts.earlier_end = Outcome{.state = RunState::failed, .exit_code = 7, .detail = "exit code 7", .time = at(1)};
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  for (const char* const word : {"TIMEOUT", "NODE_FAIL", "CANCELLED", "FAILED"}) {
    CAPTURE(word);
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::failed);
    CHECK(view.exit_code == 7);
  }
  started(facts);
  CHECK(assess(facts, slurm_says({{10, "TIMEOUT"}}), at(100)).state == RunState::timeout);
}

TEST_CASE("a command received a TERM and Slurm has no record of the job") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  JobStatus status;
  status.unknown_to_slurm = true;
  CHECK(assess(facts, {{JobId{10}, status}}, at(100)).state == RunState::ending);
  status.phase = Phase::ended;
  for (const auto ending : {Ending::forgotten, Ending::purged}) {
    status.ending = ending;
    CHECK(assess(facts, {{JobId{10}, status}}, at(100)).state == RunState::lost);
  }
}

TEST_CASE("a command received a TERM and Slurm has not ended the job") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  for (const auto* state : {"COMPLETING", "REQUEUE_HOLD", "PENDING"}) {
    CAPTURE(state);
    CHECK(assess(facts, slurm_says({{10, state}}), at(100)).state == RunState::ending);
    const auto later = assess(facts, slurm_says({{10, state}}), at(400));
    CHECK(later.state == RunState::failed);
    CHECK(later.exit_code == 143);
    // Slurm may start this one again.
    facts.record.job.requeue = true;
    CHECK(!is_final(assess(facts, slurm_says({{10, state}}), at(400)).state));
    facts.record.job.requeue = false;
  }
}

TEST_CASE("a command received a TERM because of a preemption") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(9), .job = JobId{10}, .kind = ExitKind::preempted};
  // Whatever Slurm calls it: some releases say FAILED.
  for (const char* word : {"FAILED", "PREEMPTED", "RUNNING"}) {
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::preempted);
    CHECK(!view.exit_code);
  }
  facts.record.job.requeue = true;
  CHECK(assess(facts, slurm_says({{10, "FAILED"}}), at(100)).state == RunState::preempted);
  CHECK(assess(facts, slurm_says({{10, "RUNNING"}}), at(100)).state == RunState::ending);
  const auto again = assess(facts, slurm_says({{10, "PENDING"}}), at(100));
  CHECK(again.state == RunState::queued);
  CHECK(!again.ended);
  facts.exit->kind = ExitKind::terminated;
  CHECK(assess(facts, slurm_says({{10, "PENDING"}}), at(100)).state == RunState::queued);
}

TEST_CASE("a job that was requeued by hand, and stood back then, got its TERM from Slurm") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(5), .job = JobId{10}, .kind = ExitKind::terminated};
  const auto by_itself = assess(facts, slurm_says({{10, "COMPLETED"}}), at(100));
  CHECK(by_itself.detail == "exit code 143 (SIGTERM) after TERM that Slurm did not send");
  CHECK(by_itself.unexplained_term);
  auto later_start = facts;
  add(later_start, EventKind::claimed, 1, 10, {{"restarts", 1}});
  CHECK_FALSE(assess(later_start, slurm_says({{10, "FAILED"}}), at(100)).unexplained_term);
  add(facts, EventKind::stood_back, 1, 11);
  CHECK(assess(facts, slurm_says({{10, "COMPLETED"}}), at(100)).detail == by_itself.detail);
  add(facts, EventKind::stood_back, 1, 10);
  const auto requeued = assess(facts, slurm_says({{10, "COMPLETED"}}), at(100));
  CHECK(requeued.state == RunState::failed);
  CHECK(requeued.exit_code == 143);
  CHECK(requeued.detail.find("was requeued") != std::string::npos);
}

TEST_CASE("a requeued job that its node refused to start again got its TERM from Slurm") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 143, .time = at(5), .job = JobId{10}, .kind = ExitKind::terminated};
  auto statuses = slurm_says({{10, "FAILED"}});
  CHECK(assess(facts, statuses, at(100)).unexplained_term);
  statuses.at(JobId{10}).restarts = 1;
  const auto view = assess(facts, statuses, at(100));
  CHECK_FALSE(view.unexplained_term);
  CHECK(view.exit_code == 143);
  CHECK(view.detail.find("was requeued (scontrol requeue or requeuehold), and the command may run only once") !=
        std::string::npos);
  // squeue's row has no count of restarts, and neither the controller nor accounting has answered about it.
  statuses.at(JobId{10}).restarts.reset();
  const auto unknown = assess(facts, statuses, at(100'000));
  CHECK(unknown.state == RunState::ending);
  CHECK_FALSE(unknown.exit_code);
  auto stood_back = facts;
  add(stood_back, EventKind::stood_back, 1, 10);
  CHECK(assess(stood_back, statuses, at(100)).state == RunState::failed);
  statuses.at(JobId{10}).restarts = 1;
  // An exit of that later start is the command's own again.
  Entry exit;
  exit.restart = 1;
  facts.standing.exit = exit;
  CHECK(assess(facts, statuses, at(100)).unexplained_term);
}
