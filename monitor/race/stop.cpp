#include "monitor/race/stop.h"

#include <algorithm>

#include "monitor/jobs/lookup.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {
namespace {

bool may_be_alive(const slurm::QueueRow& row) {
  const auto phase = status_of(row).phase;
  return phase != Phase::ended && phase != Phase::completing;
}

/// A job that somebody has renamed: only what the controller says of it proves that it is the run's.
void add_renamed(std::vector<slurm::JobId>& ids, const RunFacts& facts, const QueueView& queue,
                 slurm::Gateway& gateway) {
  for (const auto& key : open_jobs(facts)) {
    const bool there = std::any_of(queue.rows.begin(), queue.rows.end(), [&](const auto& row) {
      return row.id == key.id && row.name != key.name && may_be_alive(row);
    });
    if (!there || std::find(ids.begin(), ids.end(), key.id) != ids.end()) continue;
    const auto records = gateway.record(key.id);
    if (records && !records.value->empty() && is_the_job(records.value->front(), key)) ids.push_back(key.id);
  }
}

}  // namespace

Stopped stop_run(const RunFolder& folder, slurm::Gateway& gateway, const std::string& host) {
  Stopped stopped;
  KnownFacts known;
  // Until the stop is in the ledger or the run has ended: after it no job can make the entry that starts user code.
  auto facts = read_facts(folder, &known);
  while (may_stop(facts.standing, rules_of(facts.record))) {
    Entry stop;
    stop.kind = EntryKind::stop;
    stop.attempt = facts.standing.attempt;
    stop.node = host;
    append_entry(folder.ledger(), known.ledger, std::move(stop));
    facts = read_facts(folder, &known);
  }
  if (!facts.stop_requested || facts.outcome) {
    stopped.already_over = true;
    return stopped;
  }
  folder.append({.time = {},
                 .name = EventKind::stop_requested,
                 .candidate = 0,
                 .job = {},
                 .attempt = facts.standing.attempt,
                 .more = {}});
  stopped.had_started = facts.has_started();

  const auto queue = Lookup(gateway).look();
  if (!queue.answered) {
    stopped.trouble = queue.trouble;
    return stopped;
  }
  for (const auto& candidate : known.record->candidates) {
    for (const auto& row : queue.rows) {
      if (is_job_name_of(row.name, candidate.job_name) && may_be_alive(row)) stopped.cancelled.push_back(row.id);
    }
  }
  add_renamed(stopped.cancelled, facts, queue, gateway);
  if (!stopped.cancelled.empty()) {
    const auto answer = gateway.cancel(stopped.cancelled);
    if (!answer) {
      stopped.trouble = answer.trouble;
      return stopped;
    }
    for (const auto& id : stopped.cancelled) {
      folder.append({.time = {},
                     .name = EventKind::cancelled,
                     .candidate = 0,
                     .job = id,
                     .attempt = facts.standing.attempt,
                     .more = {}});
    }
  }
  if (!stopped.had_started) {
    facts = read_facts(folder, &known);
    const auto time = facts.standing.stop ? facts.standing.stop->time : TimePoint{};
    // When a job was faster with a record of its end, that is the outcome.
    write_outcome(
        folder, facts,
        {.state = RunState::stopped, .exit_code = std::nullopt, .detail = "stopped before it started", .time = time});
  }
  return stopped;
}

}  // namespace rv::monitor
