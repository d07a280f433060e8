// rv accept --kubernetes --cleanup.
#pragma once

#include "cli/options/accept_options.h"

namespace rv::cli {

/// Removes what earlier acceptances left in a namespace, after it has said what; with --dry-run it only says. Returns
/// the exit code. Throws Error.
int clean_up(const AcceptOptions& options, const Invocation& invocation);

}  // namespace rv::cli
