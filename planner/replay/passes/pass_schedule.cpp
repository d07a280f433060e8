#include "planner/replay/passes/pass_schedule.h"

#include <algorithm>

namespace rv::planner {

void PassSchedule::begin(ReplayTime first) {
  reached_ = 0;
  previous_ = 0;
  next_ = first;
  step_ = interval_;
}

void PassSchedule::skip_until(ReplayTime at) {
  if (at > next_) next_ += (at - next_ + interval_ - 1) / interval_ * interval_;
}

void PassSchedule::reach() {
  ++reached_;
  step_ = reached_ > fine_passes_ ? std::max(interval_, next_ / coarseness_) : interval_;
}

void PassSchedule::leave() {
  previous_ = next_;
  next_ += step_;
}

ReplayTime PassSchedule::dated_back(ReplayTime now, ReplayTime possible_from) const {
  if (!coarse()) return now;
  return std::clamp(possible_from + interval_ / 2, std::min(previous_ + 1, now), now);
}

}  // namespace rv::planner
