#include "monitor/follow/poll_interval.h"

#include <algorithm>

namespace rv::monitor {

void PollInterval::asked(Clock::time_point asked, Clock::time_point answered, bool changed) {
  interval_ = changed ? shortest : std::clamp(interval_ * 3 / 2, shortest, longest);
  const auto rest = std::min<Clock::duration>((answered - asked) * rest_for_answer, longest_rest);
  next_ = answered + std::max<Clock::duration>(interval_, rest);
}

}  // namespace rv::monitor
