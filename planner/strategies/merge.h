// Merges equal strategies in several partitions into one job with a list of partitions.
#pragma once

#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Merges strategies that differ only in the partition. Three kinds of partitions are not merged:
/// - partitions with different preemption (PreemptMode, or PriorityTier while preemption is on)
/// - partitions of which only one allocates whole nodes: there the job gets more than it requests
/// - partitions for which the user has separate associations: a job has only one association
///
/// The order of the strategies is kept, also in the lists of partitions.
void merge_partitions(std::vector<Strategy>& strategies, const Cluster& cluster);

}  // namespace rv::planner
