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

  /// Slurm's choice (NodeChooser). Nodes that a limit of the job counts already come before others, as
  /// _find_grp_node_bitmap() in Slurm's node_scheduler.c has it. False, and `chosen` has nothing of use, where there
  /// are too few on which the row's job meets none of these plans.
  bool choose(const QueueEntry& row, ReplayTime now, Plans plans, std::vector<int>& chosen,
              const std::optional<NodeBound>& bound = std::nullopt);

 private:
  bool collect(const QueueEntry& row, ReplayTime now, Plans plans);
  void prefer_counted(const NodeBound& bound, std::size_t wanted);

  const ReplayModel& model_;
  NodeStates& nodes_;
  const NodePlans& plans_;
  const BlockedPartitions& blocked_;
  PerPass<ReplayTime> too_long_;  // by shape: limits from here on can't start in this pass
  std::vector<FreeNode> free_;    // by node
  NodeChooser chooser_;
};

}  // namespace rv::planner
