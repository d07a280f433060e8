// The resources that limits count for a job in whole nodes (OverSubscribe=EXCLUSIVE, --exclusive).
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// Returns all CPUs and GPUs of the node, without its memory: a job in whole nodes has the memory that it requests.
Tres whole_node_tres(const Node& node);

/// Returns the resources of `job` if it gets `nodes` whole nodes like this one.
Tres in_whole_nodes(Tres job, const Node& node, int nodes);

}  // namespace rv::planner
