// sbatch --test-only → what the controller says of a request.
#pragma once

#include "base/os/process.h"
#include "planner/cluster/strategy.h"

namespace rv::slurm {

/// All of the answer is on stderr: "Job 88 to start at TIME using 4 processors on nodes n[1-2] in partition p"
/// (from 25.05 with a stray "a" behind the time), or "allocation failure: …" with an exit code. A wait counts from
/// `answered`. A time-out, a controller that is away, a death by signal, nodes that may only be down, and words that
/// rv does not know are unknown: neither a start nor a refusal.
planner::TestOnlyResult parse_test_only(const os::Result& result, planner::TimePoint answered);

}  // namespace rv::slurm
