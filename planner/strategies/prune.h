// Removes strategies that another strategy makes pointless.
#pragma once

#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Removes a strategy, or a partition from a strategy's list, if another strategy is at least as good in every respect:
/// - It has the same kind, model, split, account, QOS and time.
/// - It can use all nodes that the removed one can use.
/// - It requests no more CPUs or memory, and costs no more.
/// - Its position in the queue is at least as good: PriorityTier and PriorityJobFactor are at least as high, preemption
///   is the same, and the partition's own QOS, with its limits per user, is the same.
///
/// Two strategies that are equal in all this both stay.
void prune(std::vector<Strategy>& strategies, const ClusterIndex& index);

}  // namespace rv::planner
