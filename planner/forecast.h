// When each strategy would start, out of many replays of the queue.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "planner/cluster_index.h"
#include "planner/outlook.h"
#include "planner/replay_model.h"
#include "planner/strategy.h"

namespace rv::planner {

/// What the replays say of one strategy. A start that lies beyond the horizon is `never`.
struct Prospect {
  std::vector<Tick> starts;                        // with the strategy's time limit, by draw
  std::vector<std::chrono::seconds> limits;        // other time limits, ascending
  std::vector<std::vector<Tick>> starts_by_limit;  // by limit, by draw
  std::vector<Tick> windows;  // longest walltime that could have started within Outlook::window_delay, by draw
};

struct Forecast {
  std::vector<Prospect> prospects;  // one a strategy; empty when the queue is not known
  std::string basis;                // "replay of 812 jobs, …"
};

/// Replays the queue Outlook::draws times. Each strategy is watched in all replays of its part of the cluster, in its
/// own place in the queue; strategies do not stand in each other's way. Needs the jobs and reservations of the cluster:
/// no prospects where these are unanswered.
Forecast forecast(const ClusterIndex& index, const std::vector<Strategy>& strategies, const Outlook& outlook);

/// Figures of a number of starts: the nearest ranks at 10, 50 and 90 %. A rank that lies beyond the horizon is unknown.
Wait summary_of(const std::vector<Tick>& starts, const std::string& basis);

}  // namespace rv::planner
