// Best first.
#pragma once

#include <cstddef>
#include <vector>

#include "planner/cluster/goal.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Sorts by the goal: the soonest end of the work (Strategy::finish, else p50 and work; unknown last), the lowest cost
/// (unknown last), or the lowest cost with each hour to the end of the work priced. Ends that a prediction can't tell
/// apart count as equal: those in the same minute up to an hour, in the same five minutes up to six, in the same
/// quarter of an hour beyond. Then, in this order: lower cost or sooner end, a preferred partition, fewer nodes, the
/// smallest GPU (those that CUDA 13 does not support last; less memory first, unknown last; lower compute capability
/// first), the model's name, the kind (plain, interactive, MIG, checkpoint), the partitions,
/// and whatever else Slurm is asked for. The order never depends on the order before.
void rank(std::vector<Strategy>& strategies, const Goal& goal = {});

/// How many GPU models the first strategy was chosen from by their size alone: one if nothing else is as soon, as cheap
/// and on as few nodes, or if no end is known. `strategies`: ranked, not empty.
std::size_t models_as_good(const std::vector<Strategy>& strategies, const Goal& goal = {});

}  // namespace rv::planner
