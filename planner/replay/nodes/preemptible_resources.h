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

/// The sum for each kind of preempting job (ReplayModel::takers), over the running jobs that it may preempt now: those
/// that are not exempt and whose group it may preempt. A job that is ending counts until it has left.
class PreemptibleResources {
 public:
  explicit PreemptibleResources(const ReplayModel& model);

  /// Selects the nodes to count on, which have no jobs yet.
  void enter(const std::vector<int>& nodes);
  /// Adds a part that a job of this group (room_group) holds in the snapshot.
  void adopt(int node, const NodeResources& part, int group);
  /// Returns to the state of the snapshot.
  void reset();

  void add(int node, const NodeResources& part, int group);
  void remove(int node, const NodeResources& part, int group);

  const FreedResources& of(int taker, int node) const { return now_[taker][node]; }
  /// As it was in the snapshot.
  const FreedResources& first_of(int taker, int node) const { return first_[taker][node]; }

 private:
  using OfTakers = std::vector<std::vector<FreedResources>>;  // by taker and node

  const ReplayModel& model_;
  std::vector<int> nodes_;
  OfTakers first_;  // in the snapshot
  OfTakers now_;
};

}  // namespace rv::planner
