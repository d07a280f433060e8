// The jobs that a job preempts if it does not fit, chosen as by Slurm's preempt plugins.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "planner/replay/jobs/allocations.h"
#include "planner/replay/jobs/running_jobs.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/nodes/node_states.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/per_pass.h"

namespace rv::planner {

class VictimSelection {
 public:
  VictimSelection(const ReplayModel& model, NodeStates& nodes, const RunningJobs& running, const NodePlans& plans,
                  const BlockedPartitions& blocked);

  void begin_pass() { too_long_.begin_pass(); }

  /// Among nodes that are free or that the row's preemptor could take, those on which the last job that has to go comes
  /// earliest in Slurm's order of victims. False, and `chosen` has nothing of use, where there are too few on which the
  /// row's job meets none of these plans.
  bool choose(const QueueEntry& row, ReplayTime now, Plans plans, Selection& chosen);

 private:
  /// What decides which job is preempted first: the least rank, of these the smallest job, of these the oldest.
  struct VictimOrder {
    bool ends_anyway = false;
    std::int64_t rank = 0;
    std::size_t nodes = 0;
    std::int64_t number = 0;
    int slot = -1;  // -1: no job has to end
    bool operator<(const VictimOrder& other) const;
  };

  VictimOrder last_victim(int node, int demand, int preemptor, const std::vector<int>& victims);
  void take_node(int node, int demand, int preemptor, Selection& chosen);

  const ReplayModel& model_;
  NodeStates& nodes_;
  const RunningJobs& running_;
  const NodePlans& plans_;
  const BlockedPartitions& blocked_;
  PerPass<ReplayTime> too_long_;  // by preemptor and shape: limits from here on can't start in this pass
  std::vector<std::pair<VictimOrder, int>> last_victims_;  // with nodes
  std::vector<VictimOrder> on_node_;                       // jobs of the present node that may be preempted, in order
};

}  // namespace rv::planner
