// Best first.
#pragma once

#include <vector>

#include "planner/cluster/goal.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Sorts by the goal: the soonest end of the work (Strategy::finish, else p50 and work; unknown last), the lowest cost
/// (unknown last), or the lowest cost with each hour to the end of the work priced. Ends that a prediction can't tell
/// apart count as equal: those in the same minute up to an hour, in the same five minutes up to six, in the same
/// quarter of an hour beyond. Then, in this order: lower cost or sooner end, a preferred partition, fewer nodes, more
/// memory on the GPU (unknown last), the model's name, the kind (plain, interactive, MIG, checkpoint), the partitions,
/// and whatever else Slurm is asked for. The order never depends on the order before.
void rank(std::vector<Strategy>& strategies, const Goal& goal = {});

}  // namespace rv::planner
