#include "monitor/jobs/output_copy.h"

#include <doctest/doctest.h>

#include "monitor/jobs/run_jobs.h"
#include "tests/monitor/jobs/run_facts.h"

using namespace rv;
using namespace rv::monitor;
using namespace rv::monitor::test;
using rv::slurm::QueueRow;

TEST_CASE("a command that has ended is not over while its job copies the output") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  started(facts);
  facts.exit = ExitRecord{.code = 0, .time = at(50), .job = JobId{10}, .kind = ExitKind::exited};
  facts.copies = {.announced = 1};
  for (const char* alive : {"RUNNING", "COMPLETING", "SUSPENDED"}) {
    const auto view = assess(facts, slurm_says({{10, alive}}), at(100));
    CHECK(view.state == RunState::ending);
    CHECK(view.output_copy == CopyState::under_way);
    CHECK(view.exit_code == 0);
  }
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::under_way);
  const std::pair<const char*, CopyState> ends[] = {{"TIMEOUT", CopyState::timeout},
                                                    {"CANCELLED", CopyState::cancelled},
                                                    {"NODE_FAIL", CopyState::unknown},
                                                    {"COMPLETED", CopyState::unknown},
                                                    {"PENDING", CopyState::requeued}};
  for (const auto& [word, copy] : ends) {
    const auto view = assess(facts, slurm_says({{10, word}}), at(100));
    CHECK(view.state == RunState::done);
    CHECK(view.exit_code == 0);
    CHECK(view.output_copy == copy);
    CHECK(view.detail == "exit code 0; " + std::string(in_words(copy)));
  }
  facts.copies.copied = 1;
  const auto copied = assess(facts, slurm_says({{10, "RUNNING"}}), at(100));
  CHECK(copied.state == RunState::done);
  CHECK(copied.detail == "exit code 0");
  facts.copies = {.announced = 1, .copied = 0, .failed = 1};
  CHECK(assess(facts, {}, at(100)).detail == "exit code 0; not all of its output could be copied");
  facts.copies.trouble = "--output r: does not exist after the run";
  CHECK(assess(facts, {}, at(100)).detail == "exit code 0; --output r: does not exist after the run");
  CHECK(assess(facts, {}, at(100)).copy_trouble == "--output r: does not exist after the run");
}

TEST_CASE("an outcome stores the result of the copy, and a later mark overrides it") {
  auto facts = race_of(1);
  facts.exit = ExitRecord{.code = 0, .time = at(50), .job = JobId{10}, .kind = ExitKind::exited};
  facts.outcome =
      Outcome{.state = RunState::done, .exit_code = 0, .detail = "d", .time = {}, .copy = CopyState::timeout};
  facts.copies = {.announced = 1};
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::timeout);
  facts.outcome->copy.reset();
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::unknown);
  facts.copies.copied = 1;
  CHECK(assess(facts, {}, at(100)).output_copy == CopyState::copied);
  CHECK(assess(facts, {}, at(100)).detail == "d");
}

TEST_CASE("the job that ended the run and copies its output is not a loser, in a chain a later one too") {
  auto facts = race_of(1);
  facts.record.job.chain = templates::Chain{};
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  const QueueView queue{.answered = true, .trouble = "", .rows = {row(11, "RUNNING", "x@k3f9x2.1")}};
  facts.exit = ExitRecord{.code = 0, .time = at(50), .job = JobId{11}, .kind = ExitKind::exited};
  CHECK(losers(facts, queue).empty());
  facts.exit->job = JobId{10};
  CHECK(losers(facts, queue).size() == 1);
}
