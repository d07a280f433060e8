// Submits a race: one candidate after the other. The intent of each is recorded before its sbatch.
#pragma once

#include <chrono>

#include "monitor/run/run_folder.h"
#include "monitor/run/submit_lock.h"
#include "slurm/gateway.h"

namespace rv::monitor {

/// Continues the race from the point that the journal shows, until all candidates are submitted:
/// - An intent without a result is looked up by its token before sbatch is called again.
/// - A refusal is recorded, and the next candidate follows.
/// - Once the run is claimed, nothing more is submitted, and jobs that were submitted too late are cancelled.
/// - If the nodes of the first candidate are free, the others follow `head_start_s` later, and on a quiet cluster
///   never.
///
/// Returns when every candidate has a result, the run is claimed, or the controller has not answered for `patience`
/// (the journal then has an open intent, and the next rv continues from it).
void submit_candidates(const RunFolder& folder, slurm::Gateway& gateway, const SubmitLock& lock,
                       std::chrono::seconds patience = std::chrono::minutes(30));

}  // namespace rv::monitor
