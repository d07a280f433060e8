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
  // Cancelled before it started, perhaps because of a prolog.
  CHECK(may_be_worth_retrying(facts_with({}), view));
  CHECK(!may_be_worth_retrying(facts_with({"stop 1 0 0 0 - - login 5 e -\n"}), view));
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

namespace {

// With --retries 2 and without --requeue.
RunFacts with_retries(const std::vector<const char*>& lines) {
  auto facts = facts_with(lines, /*requeue=*/false);
  auto record = facts.record;
  record.job.retries = {.most = 2, .on = {}};
  return facts_of(record, facts.ledger, {}, facts.events);
}

RunEvidence evidence_of(const RunFacts& facts, std::vector<std::string> lines) {
  RunEvidence evidence;
  evidence.facts = facts;
  evidence.view = assess(facts, {}, {});
  evidence.logs.push_back({.file = "logs/n1.out", .node = "n1", .lines = std::move(lines), .first_line = 1});
  return evidence;
}

RetryAnswer answer_to(const RunFacts& facts, std::vector<std::string> lines) {
  const auto evidence = evidence_of(facts, std::move(lines));
  if (!may_be_worth_retrying(facts, evidence.view)) return {};
  return retry_by(facts, evidence.view, evidence);
}

}  // namespace

TEST_CASE("with --retries a command that failed is retried after a pause, and each retry is counted") {
  const auto first = with_retries({claim, start, failed});
  const auto answer = answer_to(first, {"step 3"});
  REQUIRE(answer.retry);
  CHECK(answer.retry->why == "exit code 7");
  CHECK(answer.retry->pause == std::chrono::seconds(10));
  const auto entry = retry_entry(first, *answer.retry, TimePoint(std::chrono::seconds(100)));
  REQUIRE(entry);
  CHECK(entry->more["asked"] == 1);
  CHECK(entry->more["begins"] == 110);
  const auto line = to_line(*entry);
  const auto second = with_retries({claim, start, failed, line.c_str(), "claim 2 1 20 0 - - n1 8 c n1\n",
                                    "start 2 1 20 0 0 - n1 8 c n1\n", "exit 2 1 20 0 exited 7 n1 9 c n1\n"});
  CHECK(answer_to(second, {"step 4"}).retry->pause == std::chrono::seconds(20));
  const auto repeated = answer_to(second, {"step 3"});
  CHECK(!repeated.retry);
  CHECK(repeated.refusal.find("the same last line") != std::string::npos);
}

TEST_CASE("without --retries, or without a record of the end, a command that had begun is not retried") {
  CHECK(!answer_to(facts_with({claim, start, failed}, /*requeue=*/false), {"step 3"}).retry);
  RunView lost;
  lost.state = RunState::node_failure;
  CHECK(!may_be_worth_retrying(with_retries({claim, start}), lost));
  const Retry retry{.failed = JobId{10}, .length = 2, .exclude = {}, .why = "lost"};
  CHECK(!retry_entry(with_retries({claim, start}), retry));
}

TEST_CASE("a TERM that Slurm did not explain is not a failure to retry after") {
  const auto facts = with_retries({claim, start, "exit 1 1 10 0 terminated 143 n1 5 a n1\n"});
  auto evidence = evidence_of(facts, {"step 3"});
  evidence.view.exit_code = 143;
  evidence.view.state = RunState::failed;
  CHECK(!retry_by(facts, evidence.view, evidence).retry);
  auto limited = facts.record;
  limited.job.retries->on = {"timeout"};
  evidence.facts = facts_of(limited, facts.ledger, {}, facts.events);
  evidence.view.state = RunState::timeout;
  CHECK(retry_by(evidence.facts, evidence.view, evidence).retry);
}

TEST_CASE("broken hardware is retried at once on other nodes, and does not count for --retries") {
  const std::vector<std::string> xid = {"NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."};
  const auto facts = with_retries({claim, start, failed});
  const auto answer = answer_to(facts, xid);
  REQUIRE(answer.retry);
  CHECK(answer.retry->pause == std::chrono::seconds(0));
  CHECK(answer.retry->exclude == std::vector<std::string>{"n1"});
  CHECK(retry_entry(facts, *answer.retry)->more["asked"] == 0);
}

namespace {

const std::string unfit =
    R"(exit 1 1 10 0 preflight 1 n1 5 a n1 {"bytes":{},"bad_nodes":["n2"],"said":"n2 gpu 0: ecc"})"
    "\n";

RunEvidence evidence_of(const RunFacts& facts) {
  RunEvidence evidence;
  evidence.facts = facts;
  evidence.view = assess(facts, {}, {});
  return evidence;
}

}  // namespace

TEST_CASE("a failed preflight is retried without the nodes that failed, also for a run that may start only once") {
  for (const bool hold : {false, true}) {
    auto facts = facts_with({claim, unfit.c_str()}, /*requeue=*/false);
    facts.record.job.hold = hold;
    const auto evidence = evidence_of(facts);
    CHECK(evidence.view.state == RunState::failed);
    CHECK(may_be_worth_retrying(facts, evidence.view));
    const auto retry = retry_by(facts, evidence.view, evidence).retry;
    REQUIRE(retry);
    CHECK(retry->exclude == std::vector<std::string>{"n2"});
    REQUIRE(retry->end);
    CHECK(retry->end->unstarted);
  }
}

TEST_CASE("a failed preflight of the third attempt is the end of the run") {
  const auto third = [](const std::string& line) { return "exit 3" + line.substr(line.find(' ', 5)); };
  const std::string exit = third(unfit);
  const auto facts = facts_with({claim, unfit.c_str(), "retry 2 0 0 0 - - login 5 e -\n",
                                 "retry 3 0 0 0 - - login 5 f -\n", "claim 3 1 10 0 - - n1 5 a n1\n", exit.c_str()},
                                /*requeue=*/false);
  const auto evidence = evidence_of(facts);
  CHECK(evidence.view.state == RunState::failed);
  CHECK(evidence.view.exit_code == 1);
  CHECK(evidence.view.detail == "the preflight failed, so the command did not start: n2 gpu 0: ecc");
  CHECK_FALSE(retry_by(facts, evidence.view, evidence).retry);
}

TEST_CASE("if no node is left for another attempt, the run ends with its failed preflight") {
  const auto first = facts_with({claim, unfit.c_str()}, /*requeue=*/false);
  const auto evidence = evidence_of(first);
  const auto retry = retry_by(first, evidence.view, evidence).retry;
  REQUIRE(retry);
  const auto line = to_line(retry_entry(first, *retry).value());
  auto facts = facts_with({claim, unfit.c_str(), line.c_str()}, /*requeue=*/false);
  facts.events.push_back(
      {.time = {}, .name = EventKind::refused, .candidate = 1, .job = {}, .attempt = 2, .more = {{"message", "no"}}});
  auto last = evidence_of(facts);
  CHECK(last.view.state == RunState::failed);
  const auto diagnosis = diagnose(last);
  CHECK(diagnosis.cause == Cause::preflight);
  CHECK(diagnosis.bad_nodes == std::vector<std::string>{"n2"});
}

TEST_CASE("a failed preflight does not hide the end of a command that had started in an earlier attempt") {
  const std::string ended_first = retry_line();
  const std::string exit = "exit 2" + unfit.substr(unfit.find(' ', 5));
  const auto facts =
      facts_with({claim, start, failed, ended_first.c_str(), "claim 2 1 10 0 - - n1 5 a n1\n", exit.c_str()});
  const auto end = end_so_far(facts, assess(facts, {}, {}));
  REQUIRE(end);
  CHECK(end->exit_code == 7);
  CHECK_FALSE(end->unstarted);
}
