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

  /// Selects the component; call before begin().
  void enter(const Component& component) { reservations_.enter(component); }
  /// Starts a trial.
  void begin() { reservations_.begin(); }
  /// Runs one pass: a job starts if it delays no planned start.
  void run(ReplayTime now);

 private:
  void begin_pass();
  /// Inline because it is called for each entry; few entries are right behind a hypothetical job.
  bool hypothetical_before(int entry) const {
    const Component& component = state_.component();
    return next_hypothetical_ < component.hypotheticals.size() &&
           component.hypothetical_entries[next_hypothetical_] <= entry;
  }
  void find_candidates(ReplayTime now);
  void find_hypotheticals_before(int entry, std::size_t position, ReplayTime now);
  void test_hypotheticals_before(int entry, ReplayTime now);
  void start_or_plan(const QueueEntry& entry, ReplayTime now);
  bool plan(const PlanRequest& request, ReplayTime now);

  const ReplayModel& model_;
  ReplayState& state_;
  BlockedPartitions& blocked_;
  JobStarts& starts_;
  HypotheticalTests& hypotheticals_;
  BackfillReservations reservations_;
  BackfillCandidates candidates_;
  BackfillLimits limits_;
  std::size_t next_hypothetical_ = 0;  // the first that this pass has not considered
};

}  // namespace rv::planner
