// Finds the longest time for which enough nodes are available from now on.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "planner/replay/jobs/limit_use.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/nodes/node_states.h"
#include "planner/replay/passes/blocked_partitions.h"

namespace rv::planner {

/// The longest time for which enough nodes are available to a job.
struct LongestWindow {
  ReplayTime length = 0;    // 0: there is none
  ReplayTime released = 0;  // last end of a job on these nodes
};

class WindowSearch {
 public:
  WindowSearch(const ReplayModel& model, NodeStates& nodes, const NodePlans& plans, const BlockedPartitions& blocked)
      : model_(model), nodes_(nodes), plans_(plans), blocked_(blocked) {}

  /// Searches nodes that are free or that this preemptor could take (-1: only free nodes), up to the first of these
  /// planned spans, within the bound on nodes.
  LongestWindow longest(int shape, int preemptor, ReplayTime now, Plans plans,
                        const std::optional<NodeBound>& bound = std::nullopt);

 private:
  using Windows = std::vector<std::pair<ReplayTime, int>>;  // and their nodes

  void keep_within(const NodeBound& bound);
  std::optional<Windows::iterator> take_required(const std::vector<int>& required);

  const ReplayModel& model_;
  NodeStates& nodes_;
  const NodePlans& plans_;
  const BlockedPartitions& blocked_;
  Windows windows_;
};

}  // namespace rv::planner
