// The times of the backfill passes of a trial.
#pragma once

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// A pass runs every bf_interval at first. After `fine_passes` the passes are coarse: the time between them grows with
/// the time since the snapshot, because a start far in the future need not be computed to the second.
class PassSchedule {
 public:
  /// `coarseness`: a coarse step is at least 1/coarseness of the time since the snapshot.
  PassSchedule(ReplayTime interval, int fine_passes, int coarseness)
      : interval_(interval), fine_passes_(fine_passes), coarseness_(coarseness) {}

  /// Starts a trial whose first pass is at `first`.
  void begin(ReplayTime first);
  /// Skips passes before `at`, in which nothing can have changed; the remaining passes keep their times.
  void skip_until(ReplayTime at);
  /// Begins the next pass and computes the time to the one after it.
  void reach();
  /// Ends the pass.
  void leave();

  ReplayTime next() const { return next_; }
  /// Whether the current pass stands for several passes of Slurm.
  bool coarse() const { return step_ > interval_; }
  /// Returns when a job that starts in the pass at `now` begins. In a coarse step that is the time of the fine pass
  /// that would have started it; `possible_from`: when its nodes became free.
  ReplayTime dated_back(ReplayTime now, ReplayTime possible_from) const;

 private:
  ReplayTime interval_;
  int fine_passes_;
  int coarseness_;
  int reached_ = 0;
  ReplayTime previous_ = 0;
  ReplayTime next_ = 0;
  ReplayTime step_ = 0;
};

}  // namespace rv::planner
