#include "monitor/stop.h"

#include <algorithm>

#include "monitor/atomic_file.h"
#include "monitor/lookup.h"
#include "monitor/run_facts.h"

namespace rv::monitor {
namespace {

bool may_be_alive(const slurm::QueueRow& row) {
  const auto phase = status_of(row).phase;
  return phase != Phase::ended && phase != Phase::completing;
}

}  // namespace

Stopped stop_run(const RunFolder& folder, slurm::Gateway& gateway, const std::string& host) {
  Stopped stopped;
  const auto before = read_facts(folder);
  const bool over = before.outcome || (before.exit && before.exit->kind != ExitKind::terminated);
  if (over) {
    stopped.already_over = true;
    return stopped;
  }
  folder.append({.time = {}, .name = "stop_requested", .candidate = 0, .job = {}, .more = {}});
  stopped.had_started = !folder.claim_for_stop(host);
  // A chain may be between two jobs, or just submitting the next one: nothing of it begins from here on.
  if (before.record.chain) write_file(folder.file("stop"), host + "\n");

  const auto queue = Lookup(gateway).look();
  if (!queue.answered) {
    stopped.trouble = queue.trouble;
    return stopped;
  }
  for (const auto& candidate : before.record.candidates) {
    for (const auto& row : queue.rows) {
      if (row.name == candidate.job_name && may_be_alive(row)) stopped.cancelled.push_back(row.id);
    }
  }
  if (!stopped.cancelled.empty()) {
    const auto answer = gateway.cancel(stopped.cancelled);
    if (!answer) {
      stopped.trouble = answer.trouble;
      return stopped;
    }
    for (const auto& id : stopped.cancelled) {
      folder.append({.time = {}, .name = "cancelled", .candidate = 0, .job = id, .more = {}});
    }
  }
  if (!stopped.had_started) {
    const auto claim = folder.claim();
    write_outcome(folder, {.state = RunState::stopped,
                           .exit_code = std::nullopt,
                           .detail = "stopped before it started",
                           .time = claim ? claim->time : TimePoint{}});
  }
  return stopped;
}

}  // namespace rv::monitor
