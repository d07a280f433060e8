// RunEvidence of one run, arriving in any order and any part of it late: what may be concluded from it.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "monitor/jobs/run_view.h"

using namespace rv;
using namespace rv::monitor;

namespace {

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

// What Slurm can say of a job that this run submitted: nothing yet, each phase, each way to end.
std::vector<std::optional<JobStatus>> all_statuses() {
  std::vector<std::optional<JobStatus>> all{std::nullopt};
  for (const auto phase : {Phase::pending, Phase::held, Phase::configuring, Phase::running, Phase::suspended,
                           Phase::completing, Phase::unknown}) {
    JobStatus status;
    status.phase = phase;
    all.emplace_back(status);
  }
  for (const auto ending :
       {Ending::completed, Ending::failed, Ending::cancelled, Ending::timeout, Ending::node_failure, Ending::preempted,
        Ending::out_of_memory, Ending::deadline, Ending::revoked, Ending::forgotten}) {
    JobStatus status;
    status.phase = Phase::ended;
    status.ending = ending;
    all.emplace_back(status);  // as squeue says it
    status.restarts = 0;
    all.emplace_back(status);
  }
  return all;
}

// The records of a run whose job 7 was submitted, claimed, started and ended with `code`; bit i of `seen` says whether
// the i-th has arrived yet. Network file systems show them in any order.
constexpr int records = 5;

RunFacts arrived(unsigned seen, int code, ExitKind kind, bool backwards) {
  RunFacts facts;
  facts.record.id = "k3f9x2";
  Candidate candidate;
  candidate.job_name = "x@k3f9x2.1";
  facts.record.candidates = {candidate};
  const std::array names{EventKind::intent, EventKind::submitted, EventKind::claimed, EventKind::started};
  for (unsigned i = 0; i < 4; ++i) {
    if ((seen >> i & 1U) == 0) continue;
    facts.events.push_back(
        {.time = at(1), .name = names[i], .candidate = 1, .job = std::nullopt, .more = nlohmann::json::object()});
    if (i > 0) facts.events.back().job = JobId{7};
    if (i == 3) facts.standing.start = Entry{};
    if (i == 2) facts.claim = Claim{.by_stop = false, .candidate = 1, .job = JobId{7}, .node = "n1", .time = at(2)};
  }
  if (backwards) std::reverse(facts.events.begin(), facts.events.end());
  // The ledger's entries are seen in their order: who sees the exit sees the claim.
  if ((seen >> 4 & 1U) != 0 && !facts.claim) {
    facts.claim = Claim{.by_stop = false, .candidate = 1, .job = JobId{7}, .node = "n1", .time = at(2)};
  }
  if ((seen >> 4 & 1U) != 0) facts.exit = ExitRecord{.code = code, .time = at(3), .job = JobId{7}, .kind = kind};
  return facts;
}

std::map<JobId, JobStatus> say(const std::optional<JobStatus>& status) {
  std::map<JobId, JobStatus> statuses;
  if (status) statuses[JobId{7}] = *status;
  return statuses;
}

}  // namespace

TEST_CASE("records and Slurm's answers in any order lead to no conclusion without proof") {
  int situations = 0;
  for (const auto& status : all_statuses()) {
    for (unsigned seen = 0; seen < 1U << records; ++seen) {
      for (const int code : {0, 3}) {
        for (const auto kind : {ExitKind::exited, ExitKind::terminated}) {
          const auto facts = arrived(seen, code, kind, false);
          const auto view = assess(facts, say(status), at(10));
          const bool ended = status && status->phase == Phase::ended;
          CAPTURE(seen);
          CAPTURE(code);
          CAPTURE(std::string(to_string(view.state)));
          CAPTURE(status ? std::string(to_string(status->phase)) : std::string("nothing"));
          ++situations;
          // Success and the command's failure are the exit record's to tell, and nobody else's.
          // After a TERM that was not Slurm's, too: it takes the job for one that ended by itself.
          const bool by_itself =
              ended && (status->ending == Ending::completed || status->ending == Ending::failed) && status->restarts;
          const bool own_word = facts.exit && (kind == ExitKind::exited || by_itself);
          CHECK((view.state == RunState::done) == (own_word && code == 0));
          CHECK((view.state == RunState::failed) == (own_word && code != 0));
          CHECK(view.exit_code.has_value() == own_word);
          // An end needs a record, or Slurm's word that the job is over.
          if (is_final(view.state)) CHECK((facts.exit || ended));
          // Alive, or unknown, is never an end.
          if (!facts.exit && !ended) CHECK(!is_final(view.state));
          // The same evidence in another order is the same evidence.
          const auto other = assess(arrived(seen, code, kind, true), say(status), at(10));
          CHECK(other.state == view.state);
        }
      }
    }
  }
  CHECK(situations == 28 * 32 * 4);
}

TEST_CASE("more evidence never takes an end back") {
  for (const auto& status : all_statuses()) {
    for (unsigned seen = 0; seen < 1U << records; ++seen) {
      const auto view = assess(arrived(seen, 3, ExitKind::exited, false), say(status), at(10));
      if (view.state != RunState::failed && view.state != RunState::done) continue;
      for (unsigned more = 0; more < 1U << records; ++more) {
        for (const auto& later : all_statuses()) {
          CHECK(assess(arrived(seen | more, 3, ExitKind::exited, false), say(later), at(20)).state == view.state);
        }
      }
    }
  }
}
