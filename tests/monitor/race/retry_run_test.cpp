#include "monitor/race/retry_run.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

RunFacts facts_with(const std::vector<const char*>& lines, bool requeue = true) {
  RunRecord record;
  record.job.requeue = requeue;
  Candidate candidate;
  candidate.job_name = "x@k3f9x2.1";
  record.candidates.push_back(std::move(candidate));
  std::vector<Entry> ledger;
  for (const char* line : lines) ledger.push_back(parse_entry(line).value());
  Event submitted;
  submitted.name = EventKind::submitted;
  submitted.candidate = 1;
  submitted.job = JobId{10};
  return facts_of(record, std::move(ledger), {}, {submitted});
}

constexpr const char* claim = "claim 1 1 10 0 - - n1 5 a n1\n";
constexpr const char* start = "start 1 1 10 0 0 - n1 5 a n1\n";
constexpr const char* ended = "exit 1 1 10 0 exited 0 n1 5 a n1\n";

}  // namespace

TEST_CASE("a new attempt is based on the facts of its decision, not on later ones") {
  const Retry retry{.failed = JobId{10}, .length = 2, .exclude = {"n1"}, .why = "node failure"};
  const auto entry = retry_entry(facts_with({claim, start}), retry);
  REQUIRE(entry);
  CHECK(entry->kind == EntryKind::retry);
  CHECK(entry->attempt == 2);
  CHECK(entry->more["exclude"] == nlohmann::json({"n1"}));
  CHECK(entry->more["jobs"] == nlohmann::json({10}));
  // The node was alive after all, and the command has ended well.
  CHECK(!retry_entry(facts_with({claim, start, ended}), retry));
  // Slurm has started it again.
  CHECK(!retry_entry(facts_with({claim, start, start}), retry));
  CHECK(!retry_entry(facts_with({claim, start}, /*requeue=*/false), retry));
}

TEST_CASE("some runs can't be retried after any cause") {
  RunView view;
  view.state = RunState::node_failure;
  CHECK(may_be_worth_retrying(facts_with({claim, start}), view));
  CHECK(may_be_worth_retrying(facts_with({claim}, false), view));
  CHECK(!may_be_worth_retrying(facts_with({claim, start}, false), view));
  CHECK(!may_be_worth_retrying(facts_with({}), view));
  CHECK(!may_be_worth_retrying(facts_with({claim, start, "stop 1 0 0 0 - - login 5 e -\n"}), view));
  view.state = RunState::stopped;
  CHECK(!may_be_worth_retrying(facts_with({claim, start}), view));
}

namespace {

constexpr const char* failed = "exit 1 1 10 0 exited 7 n1 5 a n1\n";
constexpr const char* stop = "stop 2 0 0 0 - - login 9 e -\n";

// The retry of a run whose first attempt failed with 7, as it is written and read again.
std::string retry_line() {
  const auto facts = facts_with({claim, start, failed});
  const auto view = assess(facts, {}, {});
  const Retry retry{.failed = JobId{10},
                    .length = 3,
                    .exclude = {"n1"},
                    .why = "Xid 79",
                    .elements = {},
                    .end = end_so_far(facts, view)};
  return to_line(retry_entry(facts, retry).value());
}

RunFacts after_retry(std::vector<const char*> more, const std::string& line, EventKind what) {
  std::vector<const char*> lines{claim, start, failed, line.c_str()};
  lines.insert(lines.end(), more.begin(), more.end());
  auto facts = facts_with(lines);
  Event event;
  event.name = what;
  event.candidate = 1;
  event.attempt = 2;
  if (what == EventKind::refused) event.more["message"] = "Requested node configuration is not available";
  facts.events = {event};
  return facts;
}

}  // namespace

TEST_CASE("an attempt that never begins does not hide the end of the one before") {
  const std::string old_line = "retry 2 0 0 0 - - login 6 r - {\"exclude\":[\"n1\"]}\n";  // of a former rv
  for (const auto& line : {retry_line(), old_line}) {
    CAPTURE(line);
    SUBCASE("Slurm refuses it") {
      const auto view = assess(after_retry({}, line, EventKind::refused), {}, {});
      CHECK(view.state == RunState::failed);
      CHECK(view.exit_code == 7);
      CHECK(view.detail.find("exit code 7") != std::string::npos);
      CHECK(view.detail.find("not available") != std::string::npos);
    }
    SUBCASE("rv stop while it waits") {
      const auto view = assess(after_retry({stop}, line, EventKind::intent), {}, {});
      CHECK(view.state == RunState::failed);
      CHECK(view.exit_code == 7);
      CHECK(view.detail.find("stopped before it was started again") != std::string::npos);
    }
    SUBCASE("its job is cancelled in the queue") {
      auto facts = after_retry({}, line, EventKind::submitted);
      facts.events[0].job = JobId{20};
      JobStatus cancelled;
      cancelled.phase = Phase::ended;
      cancelled.ending = Ending::cancelled;
      const auto view = assess(facts, {{JobId{20}, cancelled}}, {});
      CHECK(view.state == RunState::failed);
      CHECK(view.exit_code == 7);
    }
  }
}

TEST_CASE("a later attempt has a separate end") {
  const auto line = retry_line();
  const auto facts = after_retry(
      {"claim 2 1 20 0 - - n2 8 c n2\n", "start 2 1 20 0 0 - n2 8 c n2\n", "exit 2 1 20 0 exited 0 n2 9 c n2\n"}, line,
      EventKind::intent);
  const auto view = assess(facts, {}, {});
  CHECK(view.state == RunState::done);
  CHECK(view.exit_code == 0);
}

TEST_CASE("two attempts that never begin pass on the end of the first") {
  const auto line = retry_line();
  const auto facts = after_retry({}, line, EventKind::submitted);
  const auto end = end_so_far(facts, RunView{});
  REQUIRE(end);
  CHECK(end->exit_code == 7);
  CHECK(outcome_from(to_json(*end))->state == RunState::failed);
  CHECK(!outcome_from(nlohmann::json{{"state", "of a later rv"}}));
  CHECK(!outcome_from(nullptr));
}
