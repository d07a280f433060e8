// The backfill pass: goes on behind who can't start, and plans a start for each of them.
#pragma once

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/backfill_candidates.h"
#include "planner/replay/passes/backfill_limits.h"
#include "planner/replay/passes/backfill_reservations.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/job_starts.h"
#include "planner/replay/passes/probe_tests.h"

namespace rv::planner {

class BackfillPass {
 public:
  BackfillPass(const ReplayModel& model, ReplayState& state, NodePlans& plans, BlockedPartitions& blocked,
               JobStarts& starts, ProbeTests& probes);

  /// From now on it is about this component.
  void enter(const Component& component) { reservations_.enter(component); }
  /// A new trial.
  void begin() { reservations_.begin(); }
  /// One pass: whoever meets nobody's plan starts.
  void run(ReplayTime now);

 private:
  void begin_pass();
  /// Asked for each row: few are right behind a probe.
  bool probe_before(int row) const {
    const Component& component = state_.component();
    return next_probe_ < component.probes.size() && component.probe_rows[next_probe_] <= row;
  }
  void find_candidates(ReplayTime now);
  void find_probes_before(int row, std::size_t place, ReplayTime now);
  void test_probes_before(int row, ReplayTime now);
  void start_or_plan(const QueueEntry& row, ReplayTime now);
  bool plan(const PlanRequest& request, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  BlockedPartitions& blocked_;
  JobStarts& starts_;
  ProbeTests& probes_;
  BackfillReservations reservations_;
  BackfillCandidates candidates_;
  BackfillLimits limits_;
  std::size_t next_probe_ = 0;  // the first that has not been looked at yet
};

}  // namespace rv::planner
