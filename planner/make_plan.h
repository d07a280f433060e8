// cluster + request → ranked plan.
#pragma once

#include "planner/cluster.h"
#include "planner/gpu_catalogue.h"
#include "planner/outlook.h"
#include "planner/request.h"
#include "planner/strategy.h"

namespace rv::planner {

/// Enumerate, price, predict, prune inside each kind, rank. Deterministic: the same values give the same plan.
/// Waits are told only for what is free now.
Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request);

/// The same with waits out of a replay of the queue.
Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request, const Outlook& outlook);

}  // namespace rv::planner
