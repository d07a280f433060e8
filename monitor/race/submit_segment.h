// Submitting the next segment of a chain, where its own job could not.
#pragma once

#include "monitor/jobs/chain.h"
#include "monitor/race/submit.h"

namespace rv::monitor {

/// Submits the winner's script again after `last`, its last known job, has ended: unless another job of that name is in
/// the queue already (then it is put on record), or another process was faster. The intent is on record before sbatch,
/// and an sbatch without an answer is looked up by its token before anybody tries again.
void submit_segment(const RunFolder& folder, slurm::Gateway& gateway, const SubmitLock& lock, JobId last,
                    const NextSegment& next);

}  // namespace rv::monitor
