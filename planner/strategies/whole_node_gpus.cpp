#include "planner/strategies/whole_node_gpus.h"

#include <algorithm>
#include <functional>
#include <set>

#include "planner/cluster/cluster_index.h"
#include "planner/strategies/enumerate.h"
#include "planner/strategies/type_match.h"

namespace rv::planner {
namespace {

/// A job uses one slice of a node.
int size_of(const ModelInPartition& model_in_partition, const NodeGpus& place) {
  return model_in_partition.model.mig ? 1 : place.total;
}

bool uses_whole_nodes(const ClusterIndex& index, const Strategy& strategy) {
  return std::any_of(strategy.partitions.begin(), strategy.partitions.end(), [&](const std::string& partition) {
    const auto* found = index.find(partition, strategy.gpu.name, strategy.gres_type);
    return found != nullptr && std::any_of(found->nodes.begin(), found->nodes.end(), [&](const NodeGpus& place) {
             return size_of(*found, place) == strategy.gpus_per_node;
           });
  });
}

}  // namespace

int whole_node_gpus(const Cluster& cluster, const GpuCatalogue& catalogue, Request request) {
  if (request.mig) return 1;
  const ClusterIndex index = index_cluster(cluster, catalogue);
  const auto named = match_types(request.types, catalogue, index.models).models;
  std::set<int, std::greater<>> sizes;
  for (const ModelInPartition* one : requested_models(index, request, named)) {
    if (one->model.mig && request.types.empty()) continue;
    for (const NodeGpus& place : one->nodes) sizes.insert(size_of(*one, place));
  }
  request.nodes = request.nodes.value_or(1);
  request.splits = Splits::all;
  for (const int size : sizes) {
    request.gpus = *request.nodes * size;
    const auto strategies = enumerate(index, catalogue, request).strategies;
    const bool whole = std::any_of(strategies.begin(), strategies.end(),
                                   [&](const auto& one) { return uses_whole_nodes(index, one); });
    if (whole) return size;
  }
  return sizes.empty() ? 1 : *sizes.begin();
}

}  // namespace rv::planner
