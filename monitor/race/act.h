// Doing what was decided about a run. What an action depends on is asked again right before it, by whoever does it.
#pragma once

#include <vector>

#include "monitor/race/decide.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// Does them in their order. Jobs to be cancelled only go to the end of `to_cancel`: one call serves many runs.
void act(const RunFolder& folder, const RunFacts& facts, const std::vector<Action>& actions,
         std::vector<JobKey>& to_cancel);

/// `view` is final: starts the run again if that is worth it (then `view` says so), else writes its outcome down. False
/// when somebody has decided something meanwhile: what it means must be asked anew.
bool end_run(const RunFolder& folder, const RunFacts& facts, RunView& view, TimePoint now, slurm::Gateway& gateway);

}  // namespace rv::monitor
