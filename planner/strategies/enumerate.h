// Enumerates the strategies for a request, without prices, waits and ranks.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/cluster_index.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Returns all strategies that Slurm would accept on this cluster, unranked, without waits and costs. It also returns
/// one rejection for each combination of GPU model, partition and reason. Equal strategies in several partitions are
/// merged into one with a list of partitions. Throws Error(usage) for a type that neither the catalogue nor the cluster
/// has, for a partition that the cluster does not have, and for a contradictory request.
Plan enumerate(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request);

/// Enumerates with an existing index.
Plan enumerate(const ClusterIndex& index, const GpuCatalogue& catalogue, const Request& request);

/// Returns the models and partitions that --type and --partition allow, in the order of the index. `named`: the result
/// of match_types() for `request.types`.
std::vector<const ModelInPartition*> requested_models(const ClusterIndex& index, const Request& request,
                                                      const std::vector<std::string>& named);

}  // namespace rv::planner
