// rv stress --hosts.
#pragma once

#include "cli/options/stress_options.h"

namespace rv::cli {

/// Runs the workers, and the launcher, on every host over ssh, and judges all. Nothing runs anywhere before all hosts
/// have answered; a host that is lost on the way ends the work on all. Returns the exit code. Throws Error as
/// accept_on_hosts.
int stress_on_hosts(const StressOptions& options, const Invocation& invocation);

}  // namespace rv::cli
