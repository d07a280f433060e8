// The backfill pass: plans a start for each job that can't start now, and starts later jobs that delay no plan.
#pragma once

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/backfill_candidates.h"
#include "planner/replay/passes/backfill_limits.h"
#include "planner/replay/passes/backfill_reservations.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/hypothetical_tests.h"
#include "planner/replay/passes/job_starts.h"

namespace rv::planner {

class BackfillPass {
 public:
  BackfillPass(const ReplayModel& model, ReplayState& state, NodePlans& plans, BlockedPartitions& blocked,
               JobStarts& starts, HypotheticalTests& hypotheticals);

  /// From now on it is about this component.
  void enter(const Component& component) { reservations_.enter(component); }
  /// A new trial.
  void begin() { reservations_.begin(); }
  /// One pass: a job starts if it delays no planned start.
  void run(ReplayTime now);

 private:
  void begin_pass();
  /// Asked for each row: few are right behind a hypothetical.
  bool hypothetical_before(int row) const {
    const Component& component = state_.component();
    return next_hypothetical_ < component.hypotheticals.size() &&
           component.hypothetical_rows[next_hypothetical_] <= row;
  }
  void find_candidates(ReplayTime now);
  void find_hypotheticals_before(int row, std::size_t place, ReplayTime now);
  void test_hypotheticals_before(int row, ReplayTime now);
  void start_or_plan(const QueueEntry& row, ReplayTime now);
  bool plan(const PlanRequest& request, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  BlockedPartitions& blocked_;
  JobStarts& starts_;
  HypotheticalTests& hypotheticals_;
  BackfillReservations reservations_;
  BackfillCandidates candidates_;
  BackfillLimits limits_;
  std::size_t next_hypothetical_ = 0;  // the first that the pass has not considered yet
};

}  // namespace rv::planner
