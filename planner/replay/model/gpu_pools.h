// The GPU pools of a node from which a request may take its GPUs.
#pragma once

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// The pools from `first` to `last` - 1.
struct PoolRange {
  int first = 0;
  int last = 0;
};

/// Returns the pool of the demand's type. If it names no type: all pools, because Slurm then takes GPUs of several
/// types, the lowest indices first. Empty if the node has no such GPU.
inline PoolRange pools_for(const ReplayNode& node, const Demand& demand) {
  int i = 0;
  for (; i < most_pools && node.types[i] != no_gpu; ++i) {
    if (node.types[i] == demand.gpu_type) return {i, i + 1};
  }
  return demand.gpu_type == any_gpu ? PoolRange{0, i} : PoolRange{i, i};
}

/// Returns the number of GPUs in these pools.
inline int gpus_in(const NodeResources& resources, PoolRange pools) {
  int sum = 0;
  for (int i = pools.first; i < pools.last; ++i) sum += resources.gpus[i];
  return sum;
}

/// Adds up to `count` GPUs of these pools in `from` to `part`, the first pools first.
void take_gpus(NodeResources& part, const NodeResources& from, PoolRange pools, int count);

}  // namespace rv::planner
