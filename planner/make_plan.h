// Makes a ranked plan from a cluster's snapshot and a request.
#pragma once

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast_inputs.h"

namespace rv::planner {

/// Enumerates the strategies, sets their prices and waits, drops those that another strategy of the same Kind
/// (strategy.h) makes pointless (prune.h), and ranks the rest. Deterministic: the same values give the same plan.
/// Runs no replay: a strategy whose GPUs are free now has the wait 0, and the wait of the others is unknown.
Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request);

/// Makes the plan with waits from replays of the queue.
Plan make_plan(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
               const ForecastInputs& inputs);

}  // namespace rv::planner
