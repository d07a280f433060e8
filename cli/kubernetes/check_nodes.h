// rv accept --kubernetes --check.
#pragma once

#include "cli/options/accept_options.h"

namespace rv::cli {

/// Asks kubectl, or reads --from, and says which nodes would take a pod and why the others would not. Returns 0 where
/// all pods would find a node, ExitCode::no_strategy where they would not. Throws Error.
int check_nodes(const AcceptOptions& options, const Invocation& invocation);

}  // namespace rv::cli
