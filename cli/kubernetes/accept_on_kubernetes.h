// rv accept --kubernetes.
#pragma once

#include "cli/options/accept_options.h"

namespace rv::cli {

/// Prints the manifests of an acceptance; with --check, --collect, --judge or --cleanup does that instead. Returns the
/// exit code. Throws Error.
int accept_on_kubernetes(const AcceptOptions& options, const Invocation& invocation);

}  // namespace rv::cli
