// Submitting a race: one candidate after the other, each intent on record before its sbatch.
#pragma once

#include <chrono>

#include "monitor/run/run_folder.h"
#include "monitor/run/submit_lock.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// Carries the race from whatever point the journal shows to the end of its submissions:
/// an intent without a result is looked up by its token before sbatch is tried again; a refusal is recorded and the
/// next candidate goes on; once the run is claimed, nothing more is submitted and what came too late is cancelled. A
/// first candidate whose nodes are free starts alone for `head_start_s`, which on a quiet cluster saves the other
/// submissions. Returns when every candidate has a result, the run is claimed, or the controller has been away for
/// `patience` (the journal then shows an open intent, and the next rv goes on from it).
void submit_candidates(const RunFolder& folder, slurm::Gateway& gateway, const SubmitLock& lock,
                       std::chrono::seconds patience = std::chrono::minutes(30));

}  // namespace rv::monitor
