#include "monitor/jobs/run_view.h"

#include <doctest/doctest.h>

#include "tests/monitor/jobs/run_facts.h"

using namespace rv;
using namespace rv::monitor;
using namespace rv::monitor::test;
using rv::slurm::QueueRow;

TEST_CASE("a running job's latest end follows from start and time limit; waiting, ended and chained runs have none") {
  auto facts = race_of(1);
  facts.record.candidates[0].time_limit = std::chrono::minutes(10);
  submitted(facts, 1, 10);
  CHECK(!ends_by(assess(facts, slurm_says({{10, "PENDING"}}), at(100))));
  claimed(facts, 1, 10);
  started(facts);
  const auto running = assess(facts, slurm_says({{10, "RUNNING"}}), at(100));
  CHECK(ends_by(running) == at(602));
  CHECK(time_limit_of(running) == std::chrono::minutes(10));
  // It was requeued.
  CHECK(!ends_by(assess(facts, slurm_says({{10, "PENDING"}}), at(100))));
  // Somebody changed the limit, or the job was suspended for some time.
  auto changed = slurm_says({{10, "RUNNING"}});
  changed[JobId{10}].time_limit = std::chrono::minutes(20);
  CHECK(ends_by(assess(facts, changed, at(100))) == at(1202));
  changed[JobId{10}].ends_by = at(1300);
  CHECK(ends_by(assess(facts, changed, at(100))) == at(1300));
  CHECK(time_limit_of(assess(facts, changed, at(100))) == std::chrono::minutes(20));
  facts.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
  CHECK(!ends_by(assess(facts, {}, at(100))));
  facts.exit.reset();
  facts.record.job.array = templates::JobArray{.elements = {0, 1}, .at_once = 0};
  CHECK(!ends_by(assess(facts, slurm_says({{10, "RUNNING"}}), at(100))));
}

TEST_CASE("the winner is the candidate with the number of the claim; there is none before it, or without its record") {
  auto facts = race_of(3);
  submitted(facts, 2, 11);
  CHECK(winner_of(assess(facts, slurm_says({{11, "PENDING"}}), at(100))) == nullptr);
  claimed(facts, 2, 11);
  started(facts);
  auto view = assess(facts, slurm_says({{11, "RUNNING"}}), at(100));
  REQUIRE(winner_of(view) != nullptr);
  CHECK(winner_of(view) == &view.candidates[1]);
  CHECK(winner_of(facts.record, view) == &facts.record.candidates[1]);
  view.winner = 4;
  CHECK(winner_of(view) == nullptr);
  CHECK(winner_of(facts.record, view) == nullptr);
}

TEST_CASE("every state of a run is listed once, and its name is read back") {
  const auto states = all_run_states();
  CHECK(states.size() == static_cast<std::size_t>(RunState::unknown) + 1);
  for (std::size_t i = 0; i < states.size(); ++i) {
    CHECK(static_cast<std::size_t>(states[i]) == i);
    CHECK(run_state_from(to_string(states[i])) == states[i]);
  }
}

TEST_CASE("a follower compares the sizes of the logs of all elements that have ended") {
  auto facts = race_of(1);
  facts.record.job.array = templates::JobArray{.elements = {0, 1, 2}, .at_once = 0};
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  for (const int index : {0, 1}) {
    ExitRecord exit{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
    exit.log_sizes = {{std::to_string(index) + ".out", 100 + index}};
    facts.elements.push_back({.index = index, .start = Entry{}, .exit = exit});
  }
  const std::map<std::string, long long> both{{"0.out", 100}, {"1.out", 101}};
  CHECK(assess(facts, slurm_says({{10, "FAILED"}}), at(100)).log_sizes == both);
  facts.record.job.array->elements = {0, 1};
  facts.exit = facts.elements[0].exit;
  CHECK(assess(facts, {}, at(100)).log_sizes == both);
}

TEST_CASE("a wrong GPU gives a warning") {
  auto facts = race_of(1);
  submitted(facts, 1, 10);
  claimed(facts, 1, 10);
  add(facts, EventKind::wrong_gpu, 1, 10, {{"asked", "v100"}, {"got", "NVIDIA RTX A6000"}, {"node", "n1"}});
  const auto view = assess(facts, {}, at(100));
  REQUIRE(view.warnings.size() == 1);
  CHECK(view.warnings[0] == "asked for v100, got NVIDIA RTX A6000 on n1");
}
