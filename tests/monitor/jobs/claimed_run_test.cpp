#include "monitor/jobs/claimed_run.h"

#include <doctest/doctest.h>

#include "tests/monitor/jobs/run_facts.h"

using namespace rv;
using namespace rv::monitor;
using namespace rv::monitor::test;
using rv::slurm::QueueRow;

TEST_CASE("the winner's phases") {
  auto facts = race_of(2);
  submitted(facts, 1, 10);
  submitted(facts, 2, 11);
  claimed(facts, 2, 11);
  CHECK(assess(facts, slurm_says({{11, "RUNNING"}}), at(100)).state == RunState::starting);
  started(facts);
  auto view = assess(facts, slurm_says({{11, "RUNNING"}}), at(100));
  CHECK(view.state == RunState::running);
  CHECK(view.winner == 2);
  CHECK(view.nodes == "n[1-2]");
  CHECK(assess(facts, slurm_says({{11, "COMPLETING"}}), at(100)).state == RunState::ending);
  CHECK(assess(facts, slurm_says({{11, "PENDING"}}), at(100)).state == RunState::queued);  // requeued
}

TEST_CASE("a held allocation") {
  auto facts = race_of(1, /*hold=*/true);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  CHECK(assess(facts, slurm_says({{10, "RUNNING"}}), at(100)).state == RunState::holding);
  facts.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::terminated};
  CHECK(assess(facts, slurm_says({{10, "TIMEOUT"}}), at(100)).state == RunState::timeout);
  CHECK(assess(facts, {}, at(100)).state == RunState::ending);  // why it was asked to end is not known yet
  facts.stop_requested = true;
  CHECK(assess(facts, {}, at(100)).state == RunState::done);
  facts.record.job.hold = false;
  CHECK(assess(facts, {}, at(100)).state == RunState::stopped);
}

TEST_CASE("a held allocation that its job released shows the reason") {
  auto facts = race_of(1, /*hold=*/true);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
  CHECK(assess(facts, {}, at(100)).detail == "released");
  add(facts, EventKind::ended, 1, 10, {{"unattended_s", 900}});
  CHECK(assess(facts, {}, at(100)).detail == "released: no shell was open for 15m");
  add(facts, EventKind::ended, 1, 10, {{"idle_s", 1200}});
  CHECK(assess(facts, {}, at(100)).detail == "released: its GPUs were idle for 20m");
}

TEST_CASE("an end without an exit record is never a success") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  CHECK(assess(facts, slurm_says({{10, "COMPLETED"}}), at(100)).state == RunState::lost);
  CHECK(assess(facts, slurm_says({{10, "FAILED"}}), at(100)).state == RunState::lost);
  CHECK(assess(facts, slurm_says({{10, "NODE_FAIL"}}), at(100)).state == RunState::node_failure);
  CHECK(assess(facts, slurm_says({{10, "TIMEOUT"}}), at(100)).state == RunState::timeout);
}

TEST_CASE("an end that only Slurm recorded has Slurm's time") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  auto said = slurm_says({{10, "TIMEOUT"}});
  CHECK_FALSE(assess(facts, said, at(100)).ended);
  said.begin()->second.end = at(60);
  CHECK(assess(facts, said, at(100)).ended == at(60));
  CHECK(assess(facts, said, at(50)).ended == at(50));  // the controller's clock is ahead
  said.begin()->second.end = at(-60);
  CHECK(assess(facts, said, at(100)).ended == facts.standing.start->time);
}
