// Enumerates the strategies for one GPU model in one partition.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Appends strategies that Slurm would accept to plan.strategies, and others to plan.rejected. `window`: the longest
/// walltime of a job that starts soon on this model, for a checkpointed variant of each plain or interactive strategy.
/// If a split fails only because of the size or number of nodes, and another split gives a strategy, no rejection is
/// added. The caller has checked MIG, memory and type of the GPU; this function checks everything else.
void add_partition_strategies(Plan& plan, const ClusterIndex& index, const ModelInPartition& model_in_partition,
                              const Request& request, const std::vector<int>& node_counts,
                              std::optional<std::chrono::seconds> window);

}  // namespace rv::planner
