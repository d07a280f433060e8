#include "monitor/jobs/observed_wait.h"

#include <doctest/doctest.h>

#include "base/os/atomic_file.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;
using std::chrono::seconds;

namespace {

TimePoint at(int time) {
  return TimePoint(seconds(time));
}

RunFacts started_run(int candidate) {
  RunFacts facts;
  facts.record.id = "k3f9x2";
  facts.record.created = at(1000);
  for (int i = 1; i <= 2; ++i) {
    Candidate one;
    one.number = i;
    one.gpu_type = "a40";
    one.gpus = 2 * i;
    one.partition = "gpu-a40";
    one.wait = {.p10 = seconds(10 * i),
                .p50 = seconds(60 * i),
                .p90 = seconds(600 * i),
                .basis = "replay",
                .trials = {},
                .window = {}};
    facts.record.candidates.push_back(one);
    facts.events.push_back(
        {.time = at(1000 + i), .name = EventKind::intent, .candidate = i, .job = std::nullopt, .more = {}});
  }
  facts.claim = Claim{.by_stop = false, .candidate = candidate, .job = JobId{7}, .node = "n1", .time = at(1100)};
  return facts;
}

std::string noted_in(const TemporaryFolder& home) {
  return os::read_file(home.path() + "/waits.jsonl").value_or("");
}

}  // namespace

TEST_CASE("the wait of the candidate that started, from its own submission") {
  const auto observed = observed_wait(started_run(2));
  REQUIRE(observed);
  CHECK(observed->run == "k3f9x2");
  CHECK(observed->submitted == at(1002));
  CHECK(observed->real == seconds(98));
  CHECK(observed->predicted.p50 == seconds(120));
  CHECK(observed->gpus == 4);
  CHECK(observed->basis == "replay");
}

TEST_CASE("no wait is observed for a run that has not started or was stopped first") {
  auto facts = started_run(1);
  facts.claim->by_stop = true;
  CHECK(!observed_wait(facts));
  facts.claim.reset();
  CHECK(!observed_wait(facts));
  facts = started_run(9);
  CHECK(!observed_wait(facts));
}

TEST_CASE("a line comes back as it was, an unknown wait too") {
  auto observed = *observed_wait(started_run(1));
  observed.predicted = {};
  const auto again = parse_observed_waits(to_line(observed) + to_line(*observed_wait(started_run(2))));
  REQUIRE(again.size() == 1);  // the second is about the same run
  CHECK(again[0].run == observed.run);
  CHECK(again[0].submitted == observed.submitted);
  CHECK(again[0].real == observed.real);
  CHECK(!again[0].predicted.p50);
  CHECK(again[0].gpu_type == "a40");
  CHECK(again[0].partition == "gpu-a40");
  CHECK(again[0].gpus == 2);
}

TEST_CASE("torn and foreign lines are passed over, and the newest ten thousand are read") {
  std::string lines = "{\"run\":\"torn\n\n[1]\n{\"run\":\"x\",\"wait_s\":\"soon\",\"submitted\":1}\n";
  CHECK(parse_observed_waits(lines).empty());
  for (int i = 0; i < 10'001; ++i) {
    lines += R"({"run":"r)" + std::to_string(i) + R"(","submitted":1,"wait_s":2,"p50_s":1})" + "\n";
  }
  const auto observed = parse_observed_waits(lines);
  CHECK(observed.size() == 10'000);
  CHECK(observed.front().run == "r1");
  CHECK(accuracy(observed).median_error_s == 1);
}

TEST_CASE("a start is recorded once by any number of clients") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path() + "/runs");
  auto facts = started_run(1);
  facts.record.id = folder.id();
  folder.publish(facts.record);
  facts.events = folder.events();
  note_start(folder, facts);
  const auto lines = noted_in(home);
  CHECK(parse_observed_waits(lines).size() == 1);
  facts.events = folder.events();
  note_start(folder, facts);
  CHECK(noted_in(home) == lines);
}

TEST_CASE("the start of a later attempt is noted once, too") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path() + "/runs");
  auto facts = started_run(1);
  facts.record.id = folder.id();
  facts.standing.attempt = 2;
  folder.publish(facts.record);
  facts.events = of_attempt(folder.events(), 2);
  note_start(folder, facts);
  facts.events = of_attempt(folder.events(), 2);
  CHECK(is_start_noted(facts));
}

TEST_CASE("a prediction survives in the run's record") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path() + "/runs");
  auto facts = started_run(1);
  facts.record.candidates[1].wait = {};
  folder.publish(facts.record);
  const auto record = folder.record();
  CHECK(record.candidates[0].wait.p90 == seconds(600));
  CHECK(record.candidates[0].wait.basis == "replay");
  CHECK(!record.candidates[1].wait.p50);
}
