// The jobs that arrive in a trial: the past is submitted again period by period, in an order of its own for each trial.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class TrialArrivals {
 public:
  explicit TrialArrivals(const ReplayModel& model) : model_(model) {}

  /// `chance`: the trial's.
  void begin(const Component& component, std::uint64_t chance);

  /// When the next job arrives, or `never`. `tasks_left`, by job: a job that still waits from an earlier period does
  /// not arrive again.
  ReplayTime next(const std::vector<int>& tasks_left);
  /// Its row. After next(), which was not `never`.
  int take() { return component_->arrivals[period_][next_in_period_++].entry; }

 private:
  const ReplayModel& model_;
  const Component* component_ = nullptr;
  std::uint64_t chance_ = 0;
  ReplayTime period_begin_ = 0;
  std::size_t period_ = 0;
  std::size_t next_in_period_ = 0;
};

}  // namespace rv::planner
