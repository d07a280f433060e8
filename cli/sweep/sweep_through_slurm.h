// rv sweep as a run: all points in one allocation.
#pragma once

#include "cli/sweep/sweep_order.h"

namespace rv::cli {

/// Gets the GPUs as rv run does, goes through the sweep on their node, and prints the outcome. The exit code.
int sweep_through_slurm(const SweepOptions& options, const SweepWords& words, const Invocation& invocation);

}  // namespace rv::cli
