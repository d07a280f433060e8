// One possible future of the queue: jobs end, the scheduler's passes come, jobs start.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/node_plans.h"
#include "planner/replay/passes/backfill_pass.h"
#include "planner/replay/passes/blocked_partitions.h"
#include "planner/replay/passes/job_starts.h"
#include "planner/replay/passes/main_pass.h"
#include "planner/replay/passes/pass_schedule.h"
#include "planner/replay/passes/probe_starts.h"
#include "planner/replay/passes/probe_tests.h"

namespace rv::planner {

struct ReplaySettings {
  std::uint64_t seed = 0;
  ReplayTime horizon = 7 * 86'400;
  ReplayTime window_delay = 15 * 60;
  /// After so many passes in one trial they lie further apart: by at least a part of the time since the snapshot (the
  /// inverse of `coarseness`). What is far away is not known to the second, and need not be computed to the second.
  /// With the usual interval the fine ones reach over window_delay. No figure of bench/score_waits is worse on the
  /// recorded days than with 64 and 24, with half as many plans to be made.
  int fine_passes = 30;
  int coarseness = 10;
};

/// Slurm's scheduling on values. Two kinds of pass: the main one, which comes with every end or arrival of a job and
/// stops in a partition at the first job that can't start, and the backfill pass every bf_interval, which goes on
/// behind it and plans a start for every job that can't start now: on whole nodes, by the time limits of what runs, in
/// steps of bf_resolution, up to bf_window ahead. A job starts in it only where it meets nobody's plan. Who finds no
/// room in either, and may preempt others, ends as many of them as it takes: they go back to the queue, or leave.
class QueueReplay {
 public:
  explicit QueueReplay(const ReplayModel& model, const std::vector<Probe>& probes, const ReplaySettings& settings);

  /// One trial, until each probe has started with the limit it asks for, or the horizon. The outcomes are those of the
  /// component's probes, in its order. The same trial gives the same outcome, whatever ran before.
  const std::vector<ProbeOutcome>& run(const Component& component, int trial);

 private:
  void begin(const Component& component, int trial);
  void pass_events();
  void pass();
  bool open() const { return probes_.starts().waiting() > 0; }

  const ReplayModel& model_;
  ReplaySettings settings_;
  const Component* component_ = nullptr;
  ReplayState state_;
  PassSchedule schedule_;
  NodePlans plans_;
  BlockedPartitions blocked_;
  JobStarts starts_;
  ProbeTests probes_;
  MainPass main_pass_;
  BackfillPass backfill_pass_;
};

}  // namespace rv::planner
