// Which of the free nodes a job gets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/replay/jobs/limit_use.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/nodes/node_states.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/node_choice.h"
#include "planner/replay/passes/per_pass.h"

namespace rv::planner {

class NodeSelection {
 public:
  NodeSelection(const ReplayModel& model, NodeStates& nodes, const NodePlans& plans, const BlockedPartitions& blocked);

  void begin_pass() { too_long_.begin_pass(); }

  /// Chooses nodes as Slurm does (NodeChooser). Nodes that a limit of the job already counts come before others
  /// (_find_grp_node_bitmap() in node_scheduler.c). Returns false, with `chosen` undefined, if there are too few nodes
  /// on which the entry's job overlaps none of these planned spans.
  bool choose(const QueueEntry& entry, ReplayTime now, Plans plans, std::vector<int>& chosen,
              const std::optional<NodeBound>& bound = std::nullopt);

 private:
  bool collect(const QueueEntry& entry, ReplayTime now, Plans plans);
  void prefer_counted(const NodeBound& bound, std::size_t wanted);

  const ReplayModel& model_;
  NodeStates& nodes_;
  const NodePlans& plans_;
  const BlockedPartitions& blocked_;
  PerPass<ReplayTime> too_long_;  // by shape: jobs with this limit or a longer one can't start in this pass
  std::vector<FreeNode> free_;    // by node
  NodeChooser chooser_;
};

}  // namespace rv::planner
