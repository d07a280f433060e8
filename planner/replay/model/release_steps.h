// The times at which backfill tries to plan the start of a job that can't start now (_will_run_test() of
// select/cons_tres).
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Relevant jobs are the running jobs on nodes that the waiting job may use. Slurm does not remove them one by one, but
/// all that end within a window, and then tries to place the job. Window n (from 0) ends 30 s × 2^n after the first
/// full half minute behind the first end (slurm.conf(5), bf_window_linear). So a planned start is late by up to half of
/// its distance; until then shorter jobs can start on nodes that are free earlier.
class ReleaseSteps {
 public:
  static constexpr ReplayTime first_window = 30;

  /// `ends`: limit ends of the relevant jobs, in any order; `elsewhere`: those of other jobs, ascending; `phase`: the
  /// snapshot's time modulo first_window. Slurm checks for the end of the window only after a relevant job, with the
  /// end of the job that follows: another job that ends within the window belongs to the same step.
  void assign(const std::vector<ReplayTime>& ends, const std::vector<ReplayTime>& elsewhere, std::int64_t phase);

  /// Returns the first try at or after `end`, the end of a relevant job; `end` itself after the last try.
  ReplayTime try_after(ReplayTime end) const;

 private:
  std::vector<ReplayTime> tries_;  // ascending
};

}  // namespace rv::planner
