// When the backfill passes of a trial come.
#pragma once

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Every bf_interval at first. After `fine_passes` the passes are coarse: the time between them grows with the time
/// since the snapshot, because a start far in the future need not be computed to the second.
class PassSchedule {
 public:
  /// `coarseness`: a coarse step is at least 1/coarseness of the time since the snapshot.
  PassSchedule(ReplayTime interval, int fine_passes, int coarseness)
      : interval_(interval), fine_passes_(fine_passes), coarseness_(coarseness) {}

  /// A new trial, with its first pass at `first`.
  void begin(ReplayTime first);
  /// Leaves out those before `at` in which nothing can have changed, in step with those that are not.
  void skip_until(ReplayTime at);
  /// The next pass is due. From now on it is known how far it is to the one behind it.
  void reach();
  /// It is over.
  void leave();

  ReplayTime next() const { return next_; }
  /// Whether the pass that was reached last stands for several.
  bool coarse() const { return step_ > interval_; }
  /// When a job that starts in a pass at `now` really began. In a coarse step that is not `now`, but the time of the
  /// fine pass that would have found the nodes free; `possible_from`: when they became so.
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
