// The numbers of nodes over which the GPUs may be spread.
#pragma once

#include <vector>

#include "planner/cluster/request.h"

namespace rv::planner {

/// Returns the numbers of nodes to try, in ascending order; each divides the number of GPUs. 1 is included, except with
/// --nodes. Two GPUs are split only with Splits::all or --nodes. Throws Error(usage) for 0 GPUs, for --nodes that does
/// not divide the GPUs, and for --single-node with several nodes.
std::vector<int> node_counts(const Request& request);

}  // namespace rv::planner
