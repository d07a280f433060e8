// Events of a run's journal that carry the time of this machine's boot clock. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/boot_clock.h"
#include "monitor/jobs/job_status.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// One start of a job. Slurm requeues a job under its ID: an event of the first start does not apply to the second.
struct JobStart {
  JobId job;               // JobId{}: no job
  int restart = 0;         // Slurm's restart count, from the last `start` entry
  std::int64_t began = 0;  // Slurm's start time, in epoch seconds
};
/// Returns the last start of `job`, from `statuses` and the ledger.
JobStart last_start(const RunFacts& facts, JobId job, const std::map<JobId, JobStatus>& statuses);

/// Returns the time since this machine wrote the event of this kind about that start, by CLOCK_BOOTTIME. Nothing if it
/// wrote none, or was rebooted since: each machine reads only its own events.
std::optional<std::chrono::seconds> time_since_event(const RunFacts& facts, EventKind kind, const JobStart& start,
                                                     const BootMoment& now);
/// Returns the event that time_since_event() finds.
Event timed_event(const RunFacts& facts, EventKind kind, const JobStart& start, const std::string& host,
                  const BootMoment& now);

/// Writes a moment of this machine's boot clock to an event, and reads it.
void put_moment(nlohmann::json& more, const BootMoment& moment);
BootMoment moment_of(const Event& event);

}  // namespace rv::monitor
