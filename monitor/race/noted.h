// What this machine has noted in a run's journal. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/boot_clock.h"
#include "monitor/jobs/job_status.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// One start of a job. Slurm requeues a job under its ID: what was noted of the first start says nothing of the second.
struct JobStart {
  JobId job;               // JobId{}: of no job
  int restart = 0;         // Slurm's count, as the last entry of a start has it
  std::int64_t began = 0;  // when it began as far as Slurm says, in epoch seconds
};
/// The start of `job` that `statuses` and the ledger show.
JobStart last_start(const RunFacts& facts, JobId job, const std::map<JobId, JobStatus>& statuses);

/// How long ago this machine noted the event about that start, going by a clock that nobody sets. Nothing when it has
/// not, or has been booted since: each machine goes by what it has noted itself.
std::optional<std::chrono::seconds> time_since_noted(const RunFacts& facts, EventKind kind, const JobStart& start,
                                                     const BootMoment& now);
/// The event by which time_since_noted() finds it.
Event note(const RunFacts& facts, EventKind kind, const JobStart& start, const std::string& host,
           const BootMoment& now);

/// A moment of this machine as events have it, and back.
void put_moment(nlohmann::json& more, const BootMoment& moment);
BootMoment moment_of(const Event& event);

}  // namespace rv::monitor
