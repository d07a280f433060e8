// rv stress --local.
#pragma once

#include "cli/options/stress_options.h"

namespace rv::cli {

/// Runs the workers and the launcher on this machine, and judges. The exit code.
int stress_here(const StressOptions& options, const Invocation& invocation);

}  // namespace rv::cli
