#include "monitor/run/run_facts.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

constexpr const char* claim = "claim 1 1 10 0 - - n1 5 a n1\n";
constexpr const char* start = "start 1 1 10 0 0 - n1 5 a n1\n";
constexpr const char* ended = "exit 1 1 10 0 exited 7 n1 5 a n1\n";
constexpr const char* retry =
    R"(retry 2 0 0 0 - - login 5 b - {"end":{"code":7,"detail":"exit code 7","state":"failed"}})"
    "\n";
constexpr const char* retry_without_end = "retry 2 0 0 0 - - login 5 b - {}\n";
constexpr const char* refused = "outcome 2 0 0 0 refused - login 5 c - {\"detail\":\"no such nodes\"}\n";

Outcome outcome(const std::vector<const char*>& lines, bool array = false, const ElementLedgers& elements = {}) {
  RunRecord record;
  record.job.requeue = true;
  record.job.after = templates::After{.run = "p3f9x2", .only_ok = true};
  if (array) record.job.array = templates::JobArray{.elements = {0}};
  std::vector<Entry> ledger;
  for (const char* line : lines) ledger.push_back(parse_entry(line).value());
  return facts_of(record, std::move(ledger), elements, {}).outcome.value();
}

}  // namespace

TEST_CASE("an older rv's outcome of an attempt that never started does not hide the previous end") {
  for (const char* const began : {retry, retry_without_end}) {
    const auto end = outcome({claim, start, ended, began, refused});
    CHECK(end.state == RunState::failed);
    CHECK(end.exit_code == 7);
    CHECK(end.detail == "exit code 7; no such nodes");
  }
  // Claimed, and ended before the start.
  const char* const claimed = "claim 2 1 11 0 - - n2 6 d n2\n";
  const char* const stopped = "outcome 2 0 0 0 stopped - login 5 c - {}\n";
  CHECK(outcome({claim, start, ended, retry, claimed, stopped}).state == RunState::failed);
  // What began has an end of its own.
  const char* const again = "start 2 1 11 0 0 - n2 6 d n2\n";
  CHECK(outcome({claim, start, ended, retry, claimed, again, stopped}).state == RunState::stopped);
  // No retry: nothing had begun.
  CHECK(outcome({"outcome 1 0 0 0 refused - login 5 c - {}\n"}).state == RunState::refused);
}

TEST_CASE("the same of an array's retry") {
  const auto entry = [](const char* line) { return parse_entry(line).value(); };
  const ElementLedgers elements{{0, {entry(start), entry(ended)}}};
  const char* const retry_of_element =
      R"(retry 2 0 0 0 - - login 5 b - {"elements":[0],"end":{"code":7,"detail":"exit code 7","state":"failed"}})"
      "\n";
  CHECK(outcome({claim, retry_of_element, refused}, true, elements).state == RunState::failed);
  const char* const claimed = "claim 2 1 11 0 - - n2 6 d n2\n";
  CHECK(outcome({claim, retry_of_element, claimed, "outcome 2 0 0 0 lost - login 5 c - {}\n"}, true, elements).state ==
        RunState::lost);
}

TEST_CASE("an older rv's outcome says no more about a command that was not started than its job recorded") {
  const char* const by_code = "outcome 1 0 0 0 failed 1 login 5 c - {\"detail\":\"exit code 1\"}\n";
  const auto set_up = outcome({claim, "exit 1 1 10 0 setup 1 n1 5 a n1 {\"said\":\"no module\"}\n", by_code});
  CHECK(set_up.state == RunState::failed);
  CHECK(set_up.exit_code == 1);
  CHECK(set_up.detail == "the set-up lines failed, so the command did not start: no module");
  const auto gone = outcome({claim, "exit 1 1 10 0 setup 1 n1 5 a n1 {\"said\":\"rv: no folder\"}\n", by_code});
  CHECK(gone.detail == "the command did not start: no folder");
  const auto unqueued = outcome({claim, "exit 1 1 10 0 unqueued 1 n1 5 a n1 {\"said\":\"no\"}\n", by_code});
  CHECK(unqueued.state == RunState::stopped);
  CHECK_FALSE(unqueued.exit_code);
  CHECK(unqueued.detail.find("run p3f9x2, which it follows, is still active") != std::string::npos);
}

TEST_CASE("an outcome by a run that follows says only that no attempt comes any more") {
  const char* const by_follower = "outcome 1 0 20 0 failed - n2 99 e n2       \n";
  const auto end = outcome({claim, start, ended, by_follower});
  CHECK(end.state == RunState::failed);
  CHECK(end.exit_code == 7);
  CHECK(end.detail == "exit code 7");
  CHECK(end.time == TimePoint(std::chrono::seconds(5)));
  const auto asked = outcome({claim, start, "exit 1 1 10 0 terminated 143 n1 5 a n1\n", by_follower});
  CHECK(asked.state == RunState::failed);
  CHECK(asked.exit_code == 143);
  CHECK(asked.detail == "exit code 143 (SIGTERM) after TERM");
  CHECK(outcome({claim, start, "exit 1 1 10 0 preempted 1 n1 5 a n1\n", by_follower}).state == RunState::preempted);
  CHECK(outcome({claim, start, "exit 1 1 10 0 time_up 143 n1 5 a n1\n", by_follower}).state == RunState::timeout);
  CHECK(outcome({claim, start, "outcome 1 0 20 0 lost - n2 99 e n2\n"}).state == RunState::lost);

  const auto entry = [](const char* line) { return parse_entry(line).value(); };
  const auto of_elements = outcome({claim, by_follower}, true, {{0, {entry(start), entry(ended)}}});
  CHECK(of_elements.exit_code == 7);
  CHECK(of_elements.time == TimePoint(std::chrono::seconds(5)));
}
