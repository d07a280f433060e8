// One job with a partition list instead of several equal jobs.
#pragma once

#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Joins strategies that differ in nothing but the partition: the job that Slurm sees is then the same in each, and
/// each was found to accept it. Kept apart: partitions of which one preempts or is preempted otherwise (another
/// PreemptMode, or another PriorityTier while preemption is on), partitions of which one gives whole nodes only (the
/// job then holds more than it asks), and partitions for which the user has associations of their own, because a job
/// has one association. Order is kept; the list is in the order of the strategies.
void merge_partitions(std::vector<Strategy>& strategies, const Cluster& cluster);

}  // namespace rv::planner
