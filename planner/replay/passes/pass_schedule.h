// When the backfill passes of a trial come.
#pragma once

#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Every bf_interval at first. After so many passes they are coarse: they lie further apart, by a part of the time
/// since the snapshot. What is far away is not known to the second, and need not be computed to the second.
class PassSchedule {
 public:
  /// `coarseness`: a coarse step is at least one in so many of the time since the snapshot.
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
  /// When who starts in a pass at `now` has begun. In a coarse step that is not where the pass is, but where the pass
  /// that saw the nodes free would have been; `possible_from`: when they became so.
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
