// Predicts when each strategy would start, from many replays of the queue. A replay simulates the queue from the
// snapshot for a week (the horizon).
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast_inputs.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// The results of the replays for one strategy. Element `trial` of a vector is from replay number `trial`. A start
/// after the horizon is `never`.
struct Prospect {
  std::vector<ReplayTime> starts;                        // start with the strategy's time limit, by trial
  std::vector<std::chrono::seconds> limits;              // other time limits, ascending
  std::vector<std::vector<ReplayTime>> starts_by_limit;  // start with each of `limits`: by limit, then by trial
  std::vector<ReplayTime>
      windows;  // longest walltime of a job that would start within ForecastInputs::window_delay, by trial
};

struct Forecast {
  std::vector<Prospect> prospects;  // one for each strategy; empty if the queue is not known
  std::string basis;                // "replay of 812 jobs, …"
  bool holders_unseen = false;      // jobs that the queue does not show hold some nodes
};

/// Replays the queue ForecastInputs::trials times, and adds a job for each strategy. This job does not delay the jobs
/// of other strategies. Without Slurm's answers about jobs and reservations there are no prospects.
Forecast forecast(const ClusterIndex& index, const std::vector<Strategy>& strategies, const ForecastInputs& inputs);

/// Returns the 10, 50 and 90 % percentiles of the starts (nearest-rank method). A percentile after the horizon is
/// unknown.
Wait summary_of(const std::vector<ReplayTime>& starts, const std::string& basis);

}  // namespace rv::planner
