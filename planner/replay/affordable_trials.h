// The number of replays for which a plan has time.
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// Returns the number of replays: 64 for a small queue, fewer for a larger one, and 0 if fewer than 8 are possible in
/// about half a second. It depends only on the snapshot, so that the same snapshot gives the same plan.
int affordable_trials(const Cluster& cluster);

}  // namespace rv::planner
