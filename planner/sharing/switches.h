// Nodes on which Slurm starts no jobs because of the tree of switches (topology/tree).
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// False for a node without a switch if Slurm starts no jobs on such nodes (tested with 22.05 and 25.05). 26.05 starts
/// jobs of one node there.
bool in_topology(const Cluster& cluster, const Node& node);

}  // namespace rv::planner
