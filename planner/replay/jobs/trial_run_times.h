// How long each job runs in a trial: drawn once from what is known of jobs like it, the same whenever it is asked.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/model/run_times.h"

namespace rv::planner {

class TrialRunTimes {
 public:
  explicit TrialRunTimes(const ReplayModel& model);

  /// From now on it is about the jobs of this component.
  void enter(const Component& component);
  /// `chance`: the trial's.
  void begin(std::uint64_t chance) { chance_ = chance; }

  /// Seconds from the snapshot to the end of the component's running job of this place; at least 1; never: no limit.
  ReplayTime remaining(std::size_t place) const;
  /// When a job ends that starts at `at`; `task`: which of its elements. At least 1 later; never: no limit.
  ReplayTime end_of(const ReplayJob& job, int task, ReplayTime at) const;

 private:
  double level_chance(const ReplayJob& job) const;
  ReplayTime end_by_limit(const ReplayJob& job, ReplayTime limit_end) const;

  const ReplayModel& model_;
  const Component* component_ = nullptr;
  std::vector<RunTimes::Tail> tails_;        // of each of the component's running jobs
  std::vector<RunTimes::Tail> whole_tails_;  // of each group of run times, for jobs that start
  std::uint64_t chance_ = 0;
};

}  // namespace rv::planner
