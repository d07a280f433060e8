// Best first.
#pragma once

#include <vector>

#include "planner/strategy.h"

namespace rv::planner {

/// Sorts by, in this order: shorter expected wait (p50; unknown last), lower cost (unknown last), fewer nodes, more
/// memory on the GPU (unknown last), the model's name, the kind (plain, interactive, MIG, checkpoint), the partitions,
/// and then whatever else Slurm is asked for. The order never depends on the order before.
void rank(std::vector<Strategy>& strategies);

}  // namespace rv::planner
