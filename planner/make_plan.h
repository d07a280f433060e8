// cluster + request → ranked plan.
#pragma once

#include "planner/cluster.h"
#include "planner/gpu_catalogue.h"
#include "planner/request.h"
#include "planner/strategy.h"

namespace rv::planner {

/// Enumerate, price, predict, prune inside each kind, rank. Deterministic: the same values give the same plan.
Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request);

}  // namespace rv::planner
