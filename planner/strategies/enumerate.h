// All strategies for a request, before price, wait and rank.
#pragma once

#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/cluster_index.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// All strategies that Slurm would accept on this cluster, unranked, wait and cost not filled in, and one rejection for
/// each GPU model × partition × reason that was looked at and dropped. Equal strategies in several partitions are
/// merged into one with a partition list. Throws Error(usage) for a type that neither the catalogue nor the cluster
/// knows, for a partition that the cluster does not have, and for a request that contradicts itself.
Plan enumerate(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request);

/// The same on an index that is there already.
Plan enumerate(const ClusterIndex& index, const GpuCatalogue& catalogue, const Request& request);

/// The models and partitions that --type and --partition leave, in the index's order. `named`: the models that
/// match_types() returns for `request.types`.
std::vector<const ModelInPartition*> requested_models(const ClusterIndex& index, const Request& request,
                                                      const std::vector<std::string>& named);

}  // namespace rv::planner
