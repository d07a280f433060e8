// Which GPUs of a node the running jobs hold.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Assigns the used GPUs of each node to jobs. Jobs that name a GPU type come first; jobs that name none hold the
/// remaining GPUs, in order.
class HeldGpus {
 public:
  explicit HeldGpus(const std::vector<ReplayNode>& nodes);

  /// Counts the GPUs that a job holds on a node, if its demand names their type.
  void count_named(int node, const Demand& demand);

  /// Adds the GPUs that a job holds on a node to `part`: GPUs of the named type, or remaining ones, which are then
  /// removed from the rest. Call it after all jobs have been counted.
  void take(int node, const Demand& demand, NodeResources& part);

 private:
  NodeResources used_on(int node) const;

  const std::vector<ReplayNode>& nodes_;
  std::vector<NodeResources> left_;  // by node; only the GPUs are used
};

}  // namespace rv::planner
