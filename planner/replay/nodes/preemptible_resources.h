// The resources that each kind of preempting job could take on each node of a replay.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// The resources that some of a node's jobs free when they end.
struct FreedResources {
  NodeResources part;
  int jobs = 0;
};

/// The sum for each kind of preempting job (ReplayModel::preemptors), over the running jobs that it may preempt now:
/// those that are not exempt and whose group it may preempt. A job that is ending counts until it has left.
class PreemptibleResources {
 public:
  explicit PreemptibleResources(const ReplayModel& model);

  /// Selects the nodes to count on, which have no jobs yet.
  void enter(const std::vector<int>& nodes);
  /// Adds a part that a job of this group (preemption_group) holds in the snapshot.
  void adopt(int node, const NodeResources& part, int group);
  /// Returns to the state of the snapshot.
  void reset();

  void add(int node, const NodeResources& part, int group);
  void remove(int node, const NodeResources& part, int group);

  const FreedResources& of(int preemptor, int node) const { return now_[preemptor][node]; }
  /// The same in the snapshot.
  const FreedResources& first_of(int preemptor, int node) const { return first_[preemptor][node]; }

 private:
  using ByPreemptor = std::vector<std::vector<FreedResources>>;  // by preemptor and node

  const ReplayModel& model_;
  std::vector<int> nodes_;
  ByPreemptor first_;  // in the snapshot
  ByPreemptor now_;
};

}  // namespace rv::planner
