// Simulates one possible future of the queue: jobs end, the scheduler runs its passes, jobs start.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/passes/backfill_pass.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/hypothetical_starts.h"
#include "planner/replay/passes/hypothetical_tests.h"
#include "planner/replay/passes/job_starts.h"
#include "planner/replay/passes/main_pass.h"
#include "planner/replay/passes/pass_schedule.h"

namespace rv::planner {

struct ReplaySettings {
  std::uint64_t seed = 0;
  ReplayTime horizon = 7 * 86'400;
  ReplayTime window_delay = 15 * 60;
  /// After this number of passes in a replay, the time between passes grows: at least 1/coarseness of the time since
  /// the snapshot, because a start far in the future need not be computed to the second. With the usual interval these
  /// passes cover window_delay. On the recorded days no figure of bench/score_waits is worse than with 64 and 24, and
  /// only half as many plans are made.
  int fine_passes = 30;
  int coarseness = 10;
};

/// Simulates Slurm's scheduler on values. It has two kinds of passes:
/// - The main pass follows every end or arrival of a job. In each partition it stops at the first job that can't start.
/// - The backfill pass runs every bf_interval and continues behind that job. For every job that can't start now it
///   plans a start: on whole nodes, by the time limits of running jobs, in steps of bf_resolution, up to bf_window
///   ahead. A job starts in this pass only if it delays no planned start.
///
/// If a job can start in neither pass and may preempt others, as many of these as necessary are preempted: they return
/// to the queue, or are cancelled. A trial is one replay, with its own random seed.
class QueueReplay {
 public:
  explicit QueueReplay(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals,
                       const ReplaySettings& settings);

  /// Runs one trial, until each hypothetical job has started with the time limit that it requests, or the horizon is
  /// reached. Returns the outcomes of the component's hypothetical jobs, in its order. They depend only on the seed and
  /// the number of the trial.
  const std::vector<HypotheticalOutcome>& run(const Component& component, int trial);

 private:
  void begin(const Component& component, int trial);
  void pass_events();
  void pass();
  bool open() const { return hypotheticals_.starts().waiting() > 0; }

  const ReplayModel& model_;
  ReplaySettings settings_;
  const Component* component_ = nullptr;
  ReplayState state_;
  PassSchedule schedule_;
  NodePlans plans_;
  BlockedPartitions blocked_;
  JobStarts starts_;
  HypotheticalTests hypotheticals_;
  MainPass main_pass_;
  BackfillPass backfill_pass_;
};

}  // namespace rv::planner
