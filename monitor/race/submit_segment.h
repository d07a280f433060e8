// Submits the next segment of a chain if the job of the last segment could not.
#pragma once

#include "monitor/jobs/chain.h"
#include "monitor/race/submit.h"

namespace rv::monitor {

/// Submits the winner's script again after `last`, its last known job, has ended. If a job with that name is in the
/// queue already, it is recorded instead; if another process was faster, nothing is done. The intent is recorded before
/// sbatch, and the job of an sbatch without an answer is searched by its token before another attempt.
void submit_segment(const RunFolder& folder, slurm::Gateway& gateway, const SubmitLock& lock, JobId last,
                    const NextSegment& next);

}  // namespace rv::monitor
