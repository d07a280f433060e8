// Jobs of a race that were accepted without anybody having read their IDs. Pure.
#pragma once

#include <vector>

#include "monitor/jobs/lookup.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

struct FoundJob {
  int candidate = 1;
  JobId job;
};

/// Those that the queue shows and no journal.
std::vector<FoundJob> unrecorded_jobs(const RunFacts& facts, const QueueView& queue);

/// The event that puts it on record.
Event event_of(const FoundJob& found, int attempt);

}  // namespace rv::monitor
