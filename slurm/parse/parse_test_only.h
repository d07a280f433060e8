// Parses the controller's answer to sbatch --test-only.
#pragma once

#include "base/os/process.h"
#include "planner/cluster/strategy.h"

namespace rv::slurm {

/// Reads the answer from stderr: "Job 88 to start at TIME using 4 processors on nodes n[1-2] in partition p" (since
/// 25.05 with a stray "a" after the time), or "allocation failure: …" with an exit code. A wait counts from `answered`.
/// The outcome is `unknown` after a time-out, without a controller, if sbatch died by a signal, if the nodes may only
/// be down, and for messages that rv does not know.
planner::TestOnlyResult parse_test_only(const os::Result& result, planner::TimePoint answered);

}  // namespace rv::slurm
