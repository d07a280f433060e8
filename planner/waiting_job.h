// Predicts when a job that waits in the queue starts, and which other requests would start sooner.
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
  std::string partition;  // comma-separated if the job may start in several partitions
  std::chrono::seconds time_limit{0};
};

struct WaitingForecast {
  std::optional<Strategy> strategy;  // of the job that starts first; its wait begins at the snapshot
  std::vector<WhatIf> sooner;  // requests that start sooner, if these jobs are cancelled and they are submitted now
};

/// Replays the queue for each of `jobs` at its own priority, without the other jobs of the same request, because only
/// one of them starts. There is no strategy if the cluster no longer has what the jobs request, or if the queue is not
/// known.
WaitingForecast forecast_waiting(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                                 const std::vector<WaitingJob>& jobs, const ForecastInputs& inputs);

}  // namespace rv::planner
