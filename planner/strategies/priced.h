// The strategies of a request with their prices.
#pragma once

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Enumerates the strategies (enumerate.h), sets their costs and drops pointless ones (prune.h). It does not set waits.
/// Throws Error as enumerate() does.
Plan priced_strategies(const ClusterIndex& index, const GpuCatalogue& catalogue, const Request& request);

}  // namespace rv::planner
