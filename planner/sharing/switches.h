// Nodes that the tree of switches (topology/tree) keeps jobs from.
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// False of a node under no switch where Slurm starts no job on such nodes (22.05 and 25.05 were tried). 26.05 starts
/// jobs of one node there.
bool in_topology(const Cluster& cluster, const Node& node);

}  // namespace rv::planner
