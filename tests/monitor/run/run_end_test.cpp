#include "monitor/run/run_end.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

Entry entry(EntryKind kind, std::string word = "-", std::optional<int> code = std::nullopt) {
  Entry made;
  made.kind = kind;
  const bool by_job = kind == EntryKind::claim || kind == EntryKind::start || kind == EntryKind::exit;
  made.candidate = by_job ? 1 : 0;
  made.job = JobId{by_job ? 10U : 0U};
  made.word = std::move(word);
  made.code = code;
  made.node = by_job ? "n1" : "login";
  made.time = TimePoint(std::chrono::seconds(1000));
  return made;
}

const Entry claim = entry(EntryKind::claim), start = entry(EntryKind::start, "0"), stop = entry(EntryKind::stop);
const Entry lost = entry(EntryKind::outcome, "lost");

Entry exit_with(int code, std::string how = "exited") {
  return entry(EntryKind::exit, std::move(how), code);
}

std::optional<Outcome> concluded(const std::vector<Entry>& entries, const LedgerRules& rules = {}) {
  return outcome_of(standing_of(entries, rules));
}

}  // namespace

TEST_CASE("an outcome needs its entry") {
  CHECK(!concluded({claim, start, exit_with(0)}));
}

TEST_CASE("the command's own record overrides a conclusion without it, even if it is late") {
  CHECK(concluded({claim, start, lost})->state == RunState::lost);
  const auto well = concluded({claim, start, lost, exit_with(0)});
  CHECK(well->state == RunState::done);
  CHECK(well->exit_code == 0);
  const auto badly = concluded({claim, start, lost, exit_with(3)});
  CHECK(badly->state == RunState::failed);
  CHECK(badly->exit_code == 3);
  // After `stopped` too: the command was faster than its TERM.
  CHECK(concluded({claim, start, stop, entry(EntryKind::outcome, "stopped"), exit_with(0)})->state == RunState::done);
}

TEST_CASE("a TERM's record after the outcome does not change it: the outcome says why it came") {
  CHECK(concluded({claim, start, entry(EntryKind::outcome, "timeout"), exit_with(143, "terminated")})->state ==
        RunState::timeout);
}

TEST_CASE("an exit of a job that started after the stop or the outcome does not count") {
  CHECK(concluded({claim, stop, entry(EntryKind::outcome, "stopped"), exit_with(0)})->state == RunState::stopped);
  CHECK(concluded({claim, lost, exit_with(0)})->state == RunState::lost);
}

TEST_CASE("an outcome concluded from the exit stands as it was written") {
  const auto outcome = concluded({claim, start, exit_with(3), entry(EntryKind::outcome, "failed", 3)});
  CHECK(outcome->state == RunState::failed);
  CHECK(outcome->exit_code == 3);
  CHECK(concluded({claim, start, exit_with(0), entry(EntryKind::outcome, "eaten")}) ==
        std::nullopt);  // a later rv's word
}

TEST_CASE("an outcome as it is written is read again") {
  const Outcome outcome{.state = RunState::out_of_memory,
                        .exit_code = 137,
                        .detail = "the job ran out of memory",
                        .time = TimePoint(std::chrono::seconds(5))};
  const auto read = parse_entry(to_line(entry_of(outcome, 2)));
  REQUIRE(read);
  CHECK(read->attempt == 2);
  const auto again = concluded({*read});
  CHECK(again->state == outcome.state);
  CHECK(again->exit_code == 137);
  CHECK(again->detail == outcome.detail);
  CHECK(again->time == outcome.time);
}

TEST_CASE("a stop before user code is the claim; after it the job's stays") {
  const auto early = claim_of(standing_of(std::vector{claim, stop}, {}), false);
  CHECK(early->by_stop);
  CHECK(early->node == "login");
  const auto late = claim_of(standing_of(std::vector{claim, start, stop}, {}), true);
  CHECK(!late->by_stop);
  CHECK(late->job == JobId{10});
  CHECK(!claim_of({}, false));
}

TEST_CASE("how a command ended") {
  const auto kind = [](const std::string& word) { return exit_record(exit_with(1, word))->kind; };
  CHECK(kind("exited") == ExitKind::exited);
  CHECK(kind("terminated") == ExitKind::terminated);
  CHECK(kind("time_up") == ExitKind::time_up);
  CHECK(kind("no_progress") == ExitKind::no_progress);
  CHECK(kind("predecessor") == ExitKind::predecessor);
  CHECK(kind("unqueued") == ExitKind::unqueued);
  CHECK(!exit_record(std::nullopt));
}

TEST_CASE("an exit code of a signal names the signal") {
  CHECK(exit_code_words(0) == "exit code 0");
  CHECK(exit_code_words(128) == "exit code 128");
  CHECK(exit_code_words(137) == "exit code 137 (SIGKILL)");
  CHECK(exit_code_words(139) == "exit code 139 (SIGSEGV)");
  CHECK(exit_code_words(255) == "exit code 255");
}
