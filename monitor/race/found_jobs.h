// Jobs of a race that Slurm accepted, but whose IDs are not in the journal. Pure.
#pragma once

#include <vector>

#include "monitor/jobs/lookup.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

struct FoundJob {
  int candidate = 1;
  JobId job;
};

/// Returns the run's jobs that are in the queue and not in the journal.
std::vector<FoundJob> unrecorded_jobs(const RunFacts& facts, const QueueView& queue);

/// Returns the event that records the job.
Event event_of(const FoundJob& found, int attempt);

}  // namespace rv::monitor
