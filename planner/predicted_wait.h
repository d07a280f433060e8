// From the replays of a strategy to its wait.
#pragma once

#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/forecast.h"

namespace rv::planner {

/// Sets the wait of a strategy, with the longest time limit that starts soon. `launches`: start_latency.h, added to the
/// prospect's starts.
void set_predicted_wait(Strategy& strategy, Prospect& prospect, const Forecast& seen,
                        const std::vector<ReplayTime>& launches);

/// Limits on the minutes that running jobs have left, and licences in use, are not replayed: the waits that they set
/// become unknown.
void mark_unknown_waits(std::vector<Strategy>& strategies, const Cluster& cluster);

}  // namespace rv::planner
