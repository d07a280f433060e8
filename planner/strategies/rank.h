// Sorts strategies, the best first.
#pragma once

#include <cstddef>
#include <vector>

#include "planner/cluster/goal.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Sorts by the goal, then by further criteria. Unknown values are last.
/// 1. The goal: the soonest end of the work (Strategy::finish, else p50 plus work), the lowest cost, or the lowest sum
///    of the cost and the price of the hours until the end. Ends that a prediction can't distinguish count as equal:
///    those in the same minute (up to an hour), in the same five minutes (up to six hours), or in the same quarter of
///    an hour.
/// 2. The lower cost, or the sooner end.
/// 3. A preferred partition, then fewer nodes.
/// 4. The smallest GPU: models that CUDA 13 does not support are last, then less memory, then lower compute capability.
/// 5. The model's name, the kind (plain, interactive, MIG, checkpoint), the partitions, and all other values for Slurm.
///
/// The result does not depend on the order before.
void rank(std::vector<Strategy>& strategies, const Goal& goal = {});

/// Returns the number of GPU models from which only the size of the GPU selected the first strategy. It is 1 if no
/// other model is as soon, as cheap and on as few nodes, or if no end is known. `strategies`: ranked, not empty.
std::size_t models_as_good(const std::vector<Strategy>& strategies, const Goal& goal = {});

}  // namespace rv::planner
