#include "monitor/jobs/run_jobs.h"

#include <algorithm>

namespace rv::monitor {

std::vector<CandidateJournal> journals_of(const RunFacts& facts) {
  auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  if (!facts.claim || facts.claim->by_stop) return journals;
  for (auto& journal : journals) {
    if (journal.number != facts.claim->candidate) continue;
    // The ledger names the holder of the claim. Later segments of a chain can be other jobs; the ledger has only those
    // that have begun.
    if (!facts.record.job.chain || !journal.job) {
      journal.job = facts.claim->job;
      journal.yielded = false;
    } else if (const auto& start = facts.standing.start) {
      const bool known = std::find(journal.jobs.begin(), journal.jobs.end(), start->job) != journal.jobs.end();
      if (!known) journal.job = start->job;
    }
    journal.intent = true;
  }
  return journals;
}

bool has_unsubmitted(const RunFacts& facts) {
  if (facts.claim || facts.stop_requested || facts.being_submitted) return false;
  const auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  return std::any_of(journals.begin(), journals.end(),
                     [](const auto& one) { return !one.job.has_value() && one.refusal.empty(); });
}

std::string name_in_slurm(const RunFacts& facts, const Candidate& candidate) {
  const auto& inside = facts.record.job.inside;
  return inside ? inside->job_name : facts.job_name(candidate);
}

std::vector<JobKey> open_jobs(const RunFacts& facts) {
  std::vector<JobKey> keys;
  if (facts.outcome) return keys;
  for (const auto& journal : journals_of(facts)) {
    if (!journal.job || journal.yielded) continue;
    if (facts.claim && (facts.claim->by_stop || facts.claim->candidate != journal.number)) continue;
    const auto& candidate = facts.record.candidates[static_cast<std::size_t>(journal.number - 1)];
    keys.push_back({*journal.job, name_in_slurm(facts, candidate)});
  }
  return keys;
}

std::vector<slurm::QueueRow> live_jobs(const RunFacts& facts, const QueueView& queue) {
  std::vector<slurm::QueueRow> rows;
  for (const auto& row : queue.rows) {
    const auto phase = status_of(row).phase;
    if (phase == Phase::ended || phase == Phase::completing || phase == Phase::unknown) continue;
    const bool own = std::any_of(facts.record.candidates.begin(), facts.record.candidates.end(),
                                 [&](const Candidate& candidate) { return row.name == facts.job_name(candidate); });
    if (own) rows.push_back(row);
  }
  return rows;
}

bool may_have_left_jobs(const RunFacts& facts) {
  if (!facts.outcome) return false;
  const auto cancelled = [&](JobId job) {
    return std::any_of(facts.events.begin(), facts.events.end(),
                       [&](const Event& event) { return event.name == EventKind::cancelled && event.job == job; });
  };
  const auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  return std::any_of(journals.begin(), journals.end(), [&](const CandidateJournal& journal) {
    if (!journal.job) return journal.intent && journal.refusal.empty();
    // A job that may be started again, or has later segments, can be in the queue after the run's end.
    const bool ended_itself = facts.standing.claim && facts.standing.claim->candidate == journal.number &&
                              !rules_of(facts.record).may_restart;
    return !ended_itself && !journal.yielded && !cancelled(*journal.job);
  });
}

namespace {

/// A job with --retries submits the next attempt after its exit entry. It is superfluous once that attempt has begun,
/// or once it is back in the queue (a requeue).
bool may_be_submitting(const RunFacts& facts, JobId job, Phase phase) {
  if (phase != Phase::running || facts.claim || facts.outcome || facts.stop_requested) return false;
  return std::any_of(facts.ledger.begin(), facts.ledger.end(), [&](const Entry& entry) {
    return entry.kind == EntryKind::exit && entry.job == job && entry.attempt < facts.standing.attempt;
  });
}

}  // namespace

std::vector<JobKey> losers(const RunFacts& facts, const QueueView& queue) {
  std::vector<JobKey> keys;
  // The winner's later segments are jobs of their own; what must not run of them ends at the gate.
  const bool chain_goes_on = facts.record.job.chain && facts.claim && !facts.claim->by_stop && !facts.exit &&
                             !facts.outcome && !facts.stop_requested;
  for (const auto& candidate : facts.record.candidates) {
    if (chain_goes_on && candidate.number == facts.claim->candidate) continue;
    for (const auto& row : queue.rows) {
      // Those of earlier attempts are not wanted in any case. One of a later attempt says that this view of the ledger
      // is old.
      const auto attempt = attempt_of_job(row.name, candidate.job_name);
      if (!attempt || *attempt > facts.standing.attempt) continue;
      const bool present = *attempt == facts.standing.attempt;
      if (present && !facts.claim && !facts.outcome) continue;
      // A later segment of a chain can be the one that ends the run and then copies its output.
      const bool winner = present && facts.claim && !facts.claim->by_stop &&
                          (row.id == facts.claim->job || (facts.exit && row.id == facts.exit->job));
      const auto phase = status_of(row).phase;
      if (!present && may_be_submitting(facts, row.id, phase)) continue;
      const bool alive = phase != Phase::ended && phase != Phase::completing && phase != Phase::unknown;
      // What has ended for good and is back in the queue (a requeue) would end at the gate.
      const bool back = facts.outcome && (phase == Phase::pending || phase == Phase::held);
      if (alive && (!winner || back)) keys.push_back({row.id, row.name});
    }
  }
  return keys;
}

}  // namespace rv::monitor
