// What is said of a request that no strategy fits.
#pragma once

#include "base/error.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::cli {

/// Error(no_strategy): what of the request is too much for this cluster, that nothing was submitted, and what to ask
/// for instead. `plan`: one of which no strategy can race; those in segments are for commands that save their state.
Error nothing_fits(const planner::Plan& plan, const planner::Cluster& cluster, const planner::Request& request);

}  // namespace rv::cli
