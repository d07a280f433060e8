// When each strategy would start, out of many replays of the queue.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast_inputs.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// What the replays say of one strategy. A start that lies beyond the horizon is `never`.
struct Prospect {
  std::vector<ReplayTime> starts;                        // with the strategy's time limit, by trial
  std::vector<std::chrono::seconds> limits;              // other time limits, ascending
  std::vector<std::vector<ReplayTime>> starts_by_limit;  // by limit, by trial
  std::vector<ReplayTime>
      windows;  // longest walltime that could have started within ForecastInputs::window_delay, by trial
};

struct Forecast {
  std::vector<Prospect> prospects;  // one a strategy; empty when the queue is not known
  std::string basis;                // "replay of 812 jobs, …"
  bool holders_unseen = false;      // some nodes are held by jobs that the queue does not show
};

/// Replays the queue ForecastInputs::trials times. Each strategy is watched in all replays of its part of the cluster,
/// in its own place in the queue; strategies do not stand in each other's way. Needs the jobs and reservations of the
/// cluster: no prospects where these are unanswered.
Forecast forecast(const ClusterIndex& index, const std::vector<Strategy>& strategies, const ForecastInputs& inputs);

/// Figures of a number of starts: the nearest ranks at 10, 50 and 90 %. A rank that lies beyond the horizon is unknown.
Wait summary_of(const std::vector<ReplayTime>& starts, const std::string& basis);

}  // namespace rv::planner
