// The jobs that arrive in a trial: those of past periods are submitted again, with other periods drawn for each trial.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class TrialArrivals {
 public:
  explicit TrialArrivals(const ReplayModel& model) : model_(model) {}

  /// Starts a trial. `seed`: random seed of the trial.
  void begin(const Component& component, std::uint64_t seed);

  /// Returns the time of the next arrival, or `never`. `tasks_left`, by job: a job that still waits from an earlier
  /// period does not arrive again.
  ReplayTime next(const std::vector<int>& tasks_left);
  /// Returns the entry of that arrival. Call it after next() has returned a time other than `never`.
  int take() { return component_->arrivals[period_][next_in_period_++].entry; }

 private:
  const ReplayModel& model_;
  const Component* component_ = nullptr;
  std::uint64_t seed_ = 0;
  ReplayTime period_begin_ = 0;
  std::size_t period_ = 0;
  std::size_t next_in_period_ = 0;
};

}  // namespace rv::planner
