// rv accept --hosts.
#pragma once

#include "cli/options/accept_options.h"

namespace rv::cli {

/// Runs the workers on the hosts over ssh, one rank a GPU, and judges. Nothing runs anywhere before all hosts have
/// answered; a host that is lost on the way ends the work on all. Returns the exit code. Throws Error(usage) for hosts
/// or slots that can't be, Error(connection) naming every host that can't be reached.
int accept_on_hosts(const AcceptOptions& options, const Invocation& invocation);

}  // namespace rv::cli
