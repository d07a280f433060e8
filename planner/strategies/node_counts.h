// Over how many nodes the GPUs may be spread.
#pragma once

#include <vector>

#include "planner/cluster/request.h"

namespace rv::planner {

/// Numbers of nodes to try, fewest first; every one divides the GPUs evenly. One node is always among them unless
/// --nodes says otherwise. Two GPUs are split only by Splits::all or --nodes. Throws Error(usage) for no GPUs, for
/// --nodes that does not divide, and for --single-node together with several nodes.
std::vector<int> node_counts(const Request& request);

}  // namespace rv::planner
