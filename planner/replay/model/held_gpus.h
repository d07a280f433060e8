// Which GPUs of a node the running jobs hold.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// The used GPUs of each node. Jobs that name the type of theirs are counted first; the GPUs that are left are held by
/// the jobs that name none, the first job the first of them.
class HeldGpus {
 public:
  explicit HeldGpus(const std::vector<ReplayNode>& nodes);

  /// Counts the GPUs that a job holds on a node, if its demand names their type.
  void count_named(int node, const Demand& demand);

  /// Adds the GPUs that a job holds on a node to `part`: of the named type, or of those that are left, which are then
  /// fewer. Call it after all jobs have been counted.
  void take(int node, const Demand& demand, NodeResources& part);

 private:
  NodeResources used_on(int node) const;

  const std::vector<ReplayNode>& nodes_;
  std::vector<NodeResources> left_;  // by node; of these the GPUs count
};

}  // namespace rv::planner
