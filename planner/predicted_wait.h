// Computes a strategy's wait from its replays.
#pragma once

#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/forecast.h"

namespace rv::planner {

/// Sets the strategy's wait, which includes the longest time limit with which it would start soon. `launches`: from
/// start_latencies(), added to the prospect's starts.
void set_predicted_wait(Strategy& strategy, Prospect& prospect, const Forecast& seen,
                        const std::vector<ReplayTime>& launches);

/// Sets waits to unknown that depend on licences in use, or on a limit of the minutes that running jobs have left. The
/// replay does not model these.
void mark_unknown_waits(std::vector<Strategy>& strategies, const Cluster& cluster);

}  // namespace rv::planner
