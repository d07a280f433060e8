// Starts a command inside another run.
#pragma once

#include "cli/inside/inside_options.h"
#include "cli/launch/launch_options.h"

namespace rv::cli {

/// Writes the command's run folder and starts its step in the other run's job, in a separate process. Nothing is
/// planned. Throws Error where the other run can't have the command.
Launched launch_inside(const LaunchOptions& options, const InsideOptions& inside, WorkOrder order,
                       const Invocation& invocation);

}  // namespace rv::cli
