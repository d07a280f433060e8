#include "monitor/race/retry_run.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

namespace {

RunFacts facts_with(const std::vector<const char*>& lines, bool requeue = true) {
  RunRecord record;
  record.requeue = requeue;
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

TEST_CASE("another attempt begins by what it was decided by, and by nothing that came since") {
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

TEST_CASE("what can't be retried whatever the cause") {
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
