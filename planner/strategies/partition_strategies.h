// All strategies that get the GPUs from one model in one partition.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Appends what Slurm would accept to plan.strategies and what it would not to plan.rejected. `window`: the longest
/// walltime that starts soon for this model, for checkpointed variants of each plain or interactive strategy. A split
/// that only fails on the size or number of nodes is not worth a rejection while another split gives a strategy. MIG,
/// memory and type of the GPU are the caller's choice; all else is looked at here.
void add_partition_strategies(Plan& plan, const ClusterIndex& index, const ModelInPartition& model_in_partition,
                              const Request& request, const std::vector<int>& node_counts,
                              std::optional<std::chrono::seconds> window);

}  // namespace rv::planner
