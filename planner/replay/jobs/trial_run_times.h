// The run time of each job in a trial, drawn from those of similar jobs; the same in every call.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/model/run_times.h"

namespace rv::planner {

class TrialRunTimes {
 public:
  explicit TrialRunTimes(const ReplayModel& model);

  /// Selects the component; call before begin().
  void enter(const Component& component);
  /// Starts a trial. `seed`: random seed of the trial.
  void begin(std::uint64_t seed) { seed_ = seed; }

  /// Returns the seconds from the snapshot to the end of the job Component::running[index], at least 1; never: no
  /// limit.
  ReplayTime remaining(std::size_t index) const;
  /// Returns when task number `task` of a job ends if it starts at `at`, at least 1 s later; never: no limit.
  ReplayTime end_of(const ReplayJob& job, int task, ReplayTime at) const;

 private:
  double level_chance(const ReplayJob& job) const;
  ReplayTime end_by_limit(const ReplayJob& job, ReplayTime limit_end) const;

  const ReplayModel& model_;
  const Component* component_ = nullptr;
  std::vector<RunTimes::Tail> tails_;        // of each of the component's running jobs
  std::vector<RunTimes::Tail> whole_tails_;  // of each group of run times, for jobs that start
  std::uint64_t seed_ = 0;
};

}  // namespace rv::planner
