// Carries out what was decided about a run. Each action first checks again what it depends on.
#pragma once

#include <string>
#include <vector>

#include "monitor/race/reconcile.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// Does them in their order.
void act(const RunFolder& folder, const RunFacts& facts, const std::vector<Action>& actions);

/// Cancels the jobs that the runs do not need, by one call, and puts them on record. The decisions are in the order of
/// the runs. Slurm's words where it did not answer, else empty: then those jobs are in the queue at the next poll, too.
std::string cancel_jobs(const std::vector<RunFolder>& runs, const std::vector<Observation>& all,
                        const std::vector<Decision>& decisions, slurm::Gateway& gateway);

/// `view` is final: starts the run again if that is worth it (then `view` says so), else writes its outcome down. False
/// when somebody has decided something meanwhile: what it means must be asked anew.
bool end_run(const RunFolder& folder, const RunFacts& facts, RunView& view, TimePoint now, slurm::Gateway& gateway);

}  // namespace rv::monitor
