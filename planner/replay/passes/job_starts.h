// Starts of jobs in a pass: on nodes that are free, or on such as others have to leave.
#pragma once

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/node_selection.h"
#include "planner/replay/passes/pass_schedule.h"
#include "planner/replay/passes/victim_selection.h"

namespace rv::planner {

enum class StartResult {
  started,
  no_nodes,   // too few are free
  over_limit  // those that are free would exceed a limit on nodes: Slurm continues with the next job
};

class JobStarts {
 public:
  JobStarts(const ReplayModel& model, ReplayState& state, const PassSchedule& schedule, const NodePlans& plans,
            const BlockedPartitions& blocked);

  void begin_pass();
  /// Starts a task of the row's job where it meets none of these plans.
  StartResult try_start(const QueueEntry& row, ReplayTime now, Plans plans);

  /// From now on bf_max_job_start counts anew.
  void count_anew() { started_ = 0; }
  /// Whether as many have started since then as may (bf_max_job_start).
  bool exhausted() const { return model_.times.starts_a_pass > 0 && started_ >= model_.times.starts_a_pass; }

 private:
  void start(const QueueEntry& row, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  const PassSchedule& schedule_;
  NodeSelection node_selection_;
  VictimSelection victim_selection_;
  Selection selection_;
  int started_ = 0;
};

}  // namespace rv::planner
