// Starts jobs in a pass, on free nodes or on nodes of jobs that are preempted.
#pragma once

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/node_selection.h"
#include "planner/replay/passes/pass_schedule.h"
#include "planner/replay/passes/victim_selection.h"

namespace rv::planner {

enum class StartResult {
  started,
  no_nodes,   // too few nodes are free
  over_limit  // the free nodes would exceed a limit on nodes: Slurm continues with the next job
};

class JobStarts {
 public:
  JobStarts(const ReplayModel& model, ReplayState& state, const PassSchedule& schedule, const NodePlans& plans,
            const BlockedPartitions& blocked);

  void begin_pass();
  /// Starts a task of the entry's job if enough nodes have none of these planned spans within its limit.
  StartResult try_start(const QueueEntry& entry, ReplayTime now, Plans plans);

  /// Resets the count for bf_max_job_start.
  void reset_count() { started_ = 0; }
  /// Whether bf_max_job_start jobs have started since reset_count().
  bool exhausted() const { return model_.times.starts_a_pass > 0 && started_ >= model_.times.starts_a_pass; }

 private:
  void start(const QueueEntry& entry, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  const PassSchedule& schedule_;
  NodeSelection node_selection_;
  VictimSelection victim_selection_;
  Selection selection_;
  int started_ = 0;
};

}  // namespace rv::planner
