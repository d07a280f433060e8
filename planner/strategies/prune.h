// Strategies that another one makes pointless.
#pragma once

#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Drops a strategy, or a partition out of a strategy's list, when another one of the same kind, model, split, account,
/// QOS and time gives every node that it could give, asks no more CPUs or memory, costs no more, and stands no worse in
/// the queue: PriorityTier and PriorityJobFactor are at least as high, preemption is the same, and the partition's own
/// QOS (with its limits on what a user may run at once) is the same. Of two that are equal in all this both stay.
/// Plain, interactive, MIG and checkpoint strategies are never held against each other, nor are different splits.
void prune(std::vector<Strategy>& strategies, const ClusterIndex& index);

}  // namespace rv::planner
