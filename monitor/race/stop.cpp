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
void add_renamed(std::vector<JobKey>& keys, const RunFacts& facts, const QueueView& queue, slurm::Gateway& gateway) {
  for (const auto& key : open_jobs(facts)) {
    const bool there = std::any_of(queue.rows.begin(), queue.rows.end(), [&](const auto& row) {
      return row.id == key.id && row.name != key.name && may_be_alive(row);
    });
    if (!there || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const auto records = gateway.record(key.id);
    if (records && !records.value->empty() && is_the_job(records.value->front(), key))
      keys.push_back({key.id, records.value->front().name});
  }
}

/// Until the stop is in the ledger or the run has ended: after it no job can make the entry that starts user code.
RunFacts write_stop(const RunFolder& folder, KnownFacts& known, const std::string& host) {
  auto facts = read_facts(folder, &known);
  while (may_stop(facts.standing, rules_of(facts.record))) {
    Entry stop;
    stop.kind = EntryKind::stop;
    stop.attempt = facts.standing.attempt;
    stop.node = host;
    append_entry(folder.ledger(), known.ledger, std::move(stop));
    facts = read_facts(folder, &known);
  }
  return facts;
}

void write_event(const RunFolder& folder, EventKind kind, int attempt, const slurm::JobId& job) {
  folder.append({.time = {}, .name = kind, .candidate = 0, .job = job, .attempt = attempt, .more = {}});
}

/// The run's jobs that may be alive; nothing, with the reason in `trouble`, where Slurm doesn't answer.
std::optional<std::vector<JobKey>> living_jobs(const RunFacts& facts, slurm::Gateway& gateway, std::string& trouble) {
  const auto queue = Lookup(gateway).look();
  if (!queue.answered) {
    trouble = queue.trouble;
    return std::nullopt;
  }
  std::vector<JobKey> keys;
  for (const auto& candidate : facts.record.candidates) {
    for (const auto& row : queue.rows) {
      if (is_job_name_of(row.name, candidate.job_name) && may_be_alive(row)) keys.push_back({row.id, row.name});
    }
  }
  add_renamed(keys, facts, queue, gateway);
  return keys;
}

}  // namespace

Stopped stop_run(const RunFolder& folder, slurm::Gateway& gateway, const std::string& host) {
  Stopped stopped;
  KnownFacts known;
  auto facts = write_stop(folder, known, host);
  if (!facts.stop_requested || facts.outcome) {
    stopped.already_over = true;
    return stopped;
  }
  const int attempt = facts.standing.attempt;
  write_event(folder, EventKind::stop_requested, attempt, {});
  stopped.had_started = facts.has_started();

  auto living = living_jobs(facts, gateway, stopped.trouble);
  if (!living) return stopped;
  stopped.cancelled = std::move(*living);
  if (!stopped.cancelled.empty()) {
    const auto answer = gateway.cancel(stopped.cancelled);
    if (!answer) {
      stopped.trouble = answer.trouble;
      return stopped;
    }
    for (const auto& job : stopped.cancelled) write_event(folder, EventKind::cancelled, attempt, job.id);
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
