// When a job that waits in the queue will start, and what would start sooner in its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/forecast_inputs.h"
#include "planner/what_if.h"

namespace rv::planner {

/// One of the jobs that wait for the same request, as it was submitted.
struct WaitingJob {
  std::string id;  // the job's number
  std::string gpu_type;
  int gpus = 0;
  int nodes = 1;
  std::string partition;  // a list, where it may start in several
  std::chrono::seconds time_limit{0};
};

struct WaitingForecast {
  std::optional<Strategy> strategy;  // of the job that starts first, with its wait from the snapshot on
  std::vector<WhatIf> sooner;        // as jobs submitted now, after these ones are cancelled
};

/// Replays the queue with each job at its own priority, without the other jobs of the same request: only one of them
/// starts. No strategy where the cluster no longer has what a job asks for, or the queue is not known.
WaitingForecast forecast_waiting(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                                 const std::vector<WaitingJob>& jobs, const ForecastInputs& inputs);

}  // namespace rv::planner
