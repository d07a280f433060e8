// What limits count of a job that has its nodes to itself: OverSubscribe=EXCLUSIVE, --exclusive.
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// All CPUs and GPUs of the node. Memory is not among them: a job in whole nodes has the memory that it asks for.
Tres whole_node_tres(const Node& node);

/// `job` in that many nodes like this one, as a whole.
Tres in_whole_nodes(Tres job, const Node& node, int nodes);

}  // namespace rv::planner
