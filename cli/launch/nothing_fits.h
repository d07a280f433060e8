// The error for a request that no strategy fits.
#pragma once

#include "base/error.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::cli {

/// Error(no_strategy): which part of the request exceeds this cluster, that no job was submitted, and what to request
/// for instead. `plan` has no strategy that can race; its strategies in segments need a command that saves its state.
Error nothing_fits(const planner::Plan& plan, const planner::Cluster& cluster, const planner::Request& request);

}  // namespace rv::cli
