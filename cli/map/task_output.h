// The output of one task of rv map.
#pragma once

#include "cli/options/invocation.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {

/// Prints what the task wrote, of all its attempts in this run, or in the run where it ended. Returns the exit code.
/// Throws Error(usage) if the run has no such task.
int show_task_output(const monitor::KnownRun& run, int task, const Invocation& invocation);

}  // namespace rv::cli
