// The size of a whole node, for a request that names no number of GPUs.
#pragma once

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"

namespace rv::planner {

/// The largest number of GPUs per node for which enumerate() finds a strategy that uses whole nodes, on `request.nodes`
/// nodes (default: 1). It is 1 for MIG slices: a job uses one. `request.gpus` is ignored. If there is no such strategy:
/// the GPUs of the largest node that --type and --partition leave, or 1; enumerate() then has the reasons. Throws
/// Error(usage) for an unknown type and an unknown node.
int whole_node_gpus(const Cluster& cluster, const GpuCatalogue& catalogue, Request request);

}  // namespace rv::planner
