// The moments at which Slurm looks whether a job that can't start now could start.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// When it plans a start, Slurm does not take the jobs that run away one by one, but all that end within a window, and
/// tries then. The window begins 30 s after the first end, at a full half minute, and is twice as long with each try
/// (slurm.conf(5), bf_window_linear: precision decreases). So a plan is late by up to half of its distance, and what is
/// planned on a node that would be free earlier leaves a gap that shorter jobs start in.
class ReleaseSteps {
 public:
  static constexpr ReplayTime first_window = 30;

  /// `ends`: of jobs on the nodes in question, by time limit and in any order; `elsewhere`: of others, ascending;
  /// `phase`: the snapshot's time modulo first_window. Slurm looks for the window's end only behind a job in question,
  /// and at the job after it: a job elsewhere that ends within the window belongs to the same step.
  void assign(const std::vector<ReplayTime>& ends, const std::vector<ReplayTime>& elsewhere, std::int64_t phase);

  /// The first try at or after a moment in which jobs in question end; the moment itself behind the last.
  ReplayTime try_after(ReplayTime end) const;

 private:
  std::vector<ReplayTime> tries_;  // ascending
};

}  // namespace rv::planner
