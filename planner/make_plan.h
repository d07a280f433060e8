// cluster + request → ranked plan.
#pragma once

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast_inputs.h"

namespace rv::planner {

/// Enumerate, price, predict, prune inside each kind, rank. Deterministic: the same values give the same plan.
/// Only strategies whose GPUs are free now get a wait.
Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request);

/// The same with waits out of a replay of the queue.
Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
               const ForecastInputs& inputs);

}  // namespace rv::planner
