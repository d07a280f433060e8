#pragma once

#include <ctime>

namespace rv::workers {

/// Seconds that this thread has had of a processor. On a host that others use too, a difference of it says what some
/// work cost; the clock would also count the others' turns.
inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace rv::workers
