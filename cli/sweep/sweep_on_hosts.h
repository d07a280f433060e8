// rv sweep --hosts.
#pragma once

#include "cli/options/sweep_options.h"
#include "cli/sweep/sweep_order.h"

namespace rv::cli {

/// Goes through the whole sweep on every host over ssh, all at the same time, each into a folder of its name below the
/// report folder: figures of one machine are never mixed with another's. A host that is lost ends the work on all; the
/// same command continues. Returns the exit code. Throws Error as accept_on_hosts.
int sweep_on_hosts(const SweepOptions& options, const SweepWords& words, const Invocation& invocation);

}  // namespace rv::cli
