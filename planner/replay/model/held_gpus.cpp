#include "planner/replay/model/held_gpus.h"

#include "planner/replay/model/gpu_pools.h"

namespace rv::planner {

HeldGpus::HeldGpus(const std::vector<ReplayNode>& nodes) : nodes_(nodes) {
  left_.reserve(nodes.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) left_.push_back(used_on(static_cast<int>(node)));
}

NodeResources HeldGpus::used_on(int node) const {
  NodeResources used = nodes_[node].total;
  subtract(used, nodes_[node].free);
  return used;
}

void HeldGpus::count_named(int node, const Demand& demand) {
  if (demand.gpus == 0 || demand.gpu_type == any_gpu) return;
  NodeResources part;
  take_gpus(part, left_[node], pools_for(nodes_[node], demand), demand.gpus);
  subtract(left_[node], part);
}

void HeldGpus::take(int node, const Demand& demand, NodeResources& part) {
  const PoolRange pools = pools_for(nodes_[node], demand);
  if (demand.gpu_type != any_gpu) return take_gpus(part, used_on(node), pools, demand.gpus);
  NodeResources gpus;
  take_gpus(gpus, left_[node], pools, demand.gpus);
  subtract(left_[node], gpus);
  for (std::size_t i = 0; i < gpus.gpus.size(); ++i) part.gpus[i] = gpus.gpus[i];
}

}  // namespace rv::planner
