// rv accept --local.
#pragma once

#include "cli/options/accept_options.h"

namespace rv::cli {

/// Runs the workers on this host, or on all nodes of the allocation that this process is in, and judges. Returns the
/// exit code.
int accept_here(const AcceptOptions& options, const Invocation& invocation);

}  // namespace rv::cli
