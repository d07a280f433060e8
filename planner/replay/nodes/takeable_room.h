// What each kind of job that preempts could take on each node of a replay.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// What some of a node's jobs have there together.
struct Leaving {
  NodeResources part;
  int jobs = 0;
};

/// Summed up for each taker (ReplayModel::takers), over the running jobs that would make room for it now: neither
/// exempt nor of a group that it may not take from. Those that end already count still, until they have left.
class TakeableRoom {
 public:
  explicit TakeableRoom(const ReplayModel& model);

  /// From now on it is about these nodes, on which there is nothing yet.
  void enter(const std::vector<int>& nodes);
  /// A part that can be taken in the snapshot already, of a job of this room group.
  void adopt(int node, const NodeResources& part, int group);
  /// Back to the snapshot.
  void reset();

  void add(int node, const NodeResources& part, int group);
  void remove(int node, const NodeResources& part, int group);

  const Leaving& of(int taker, int node) const { return now_[taker][node]; }
  /// As it was in the snapshot.
  const Leaving& first_of(int taker, int node) const { return first_[taker][node]; }

 private:
  using OfTakers = std::vector<std::vector<Leaving>>;  // by taker and node

  const ReplayModel& model_;
  std::vector<int> nodes_;
  OfTakers first_;  // in the snapshot
  OfTakers now_;
};

}  // namespace rv::planner
