// rv stress as a run: one supervisor on every node of the allocation.
#pragma once

#include "cli/options/stress_options.h"

namespace rv::cli {

/// Gets the GPUs as rv run does, runs the workers on them, judges and prints. The exit code.
int stress_through_slurm(const StressOptions& options, const Invocation& invocation);

/// --judge: a run of rv stress, or its folder. The exit code.
int judge_stress_again(const StressOptions& options, const Invocation& invocation);

}  // namespace rv::cli
