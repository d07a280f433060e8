// Performs the actions that were decided about a run. Each action first checks again that it is still allowed.
#pragma once

#include <string>
#include <vector>

#include "monitor/race/reconcile.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// Performs the actions in their order. Returns why nothing can be submitted, for example on a full disk; empty:
/// nothing was due, or a process that submits was started.
std::string act(const RunFolder& folder, const RunFacts& facts, const std::vector<Action>& actions);

/// Cancels the jobs that the runs do not need, with one call of the gateway, and records an event for each. Element i
/// of `all` and of `decisions` belongs to run i. Returns Slurm's message if the call failed (the next poll then decides
/// to cancel the jobs again), else an empty string.
std::string cancel_jobs(const std::vector<RunFolder>& runs, const std::vector<Observation>& all,
                        const std::vector<Decision>& decisions, slurm::Gateway& gateway);

/// Ends a run whose `view` is final: starts it again if a retry is justified, and changes `view` to that; else records
/// its outcome. Returns false if another process has changed the ledger meanwhile: the caller must then decide again.
bool end_run(const RunFolder& folder, const RunFacts& facts, RunView& view, TimePoint now, slurm::Gateway& gateway);

}  // namespace rv::monitor
