// rv top on a terminal, until its user leaves it.
#pragma once

#include "cli/options/invocation.h"

namespace rv::cli::top {

/// Returns rv's exit code.
int run_session(const Invocation& invocation);

}  // namespace rv::cli::top
