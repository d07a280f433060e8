// Chooses the jobs that a job preempts if it does not fit, as Slurm's preempt plugins do.
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

  /// Chooses nodes among those that are free or can be preempted: those whose last victim comes earliest in Slurm's
  /// order of victims. Returns false, with `chosen` undefined, if there are too few nodes on which the entry's job
  /// overlaps none of these planned spans.
  bool choose(const QueueEntry& entry, ReplayTime now, Plans plans, Selection& chosen);

 private:
  /// Slurm's order of victims: the lowest rank, then the smallest job, then the oldest.
  struct VictimOrder {
    bool ends_anyway = false;
    std::int64_t rank = 0;
    std::size_t nodes = 0;
    std::int64_t number = 0;
    int slot = -1;  // -1: no job must end
    bool operator<(const VictimOrder& other) const;
  };

  VictimOrder last_victim(int node, int demand, int preemptor, const std::vector<int>& victims);
  void take_node(int node, int demand, int preemptor, Selection& chosen);

  const ReplayModel& model_;
  NodeStates& nodes_;
  const RunningJobs& running_;
  const NodePlans& plans_;
  const BlockedPartitions& blocked_;
  PerPass<ReplayTime>
      too_long_;  // by preemptor and shape: jobs with this limit or a longer one can't start in this pass
  std::vector<std::pair<VictimOrder, int>> last_victims_;  // and their nodes
  std::vector<VictimOrder> on_node_;                       // preemptible jobs of the current node, in order
};

}  // namespace rv::planner
