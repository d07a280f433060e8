// One possible future of the queue: jobs end, the scheduler's passes come, jobs start.
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
  /// After this number of passes in a trial, the time between passes grows: at least 1/coarseness of the time since the
  /// snapshot, because a start far in the future need not be computed to the second.
  /// With the usual interval the fine ones reach over window_delay. No figure of bench/score_waits is worse on the
  /// recorded days than with 64 and 24, with half as many plans to be made.
  int fine_passes = 30;
  int coarseness = 10;
};

/// Slurm's scheduling on values. Two kinds of pass: the main one, which comes with every end or arrival of a job and
/// stops in a partition at the first job that can't start, and the backfill pass every bf_interval, which continues
/// behind it and plans a start for every job that can't start now: on whole nodes, by the time limits of what runs, in
/// steps of bf_resolution, up to bf_window ahead. A job starts in it only if it delays no plan. A job that fits in
/// neither pass, and may preempt others, ends as many as needed: they return to the queue, or are cancelled.
class QueueReplay {
 public:
  explicit QueueReplay(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals,
                       const ReplaySettings& settings);

  /// One trial, until each hypothetical job has started with the limit it asks for, or the horizon. The outcomes are
  /// those of the component's hypothetical jobs, in its order. The same trial gives the same outcome, whatever ran
  /// before.
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
