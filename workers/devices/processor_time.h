#pragma once

#include <ctime>

namespace rv::workers {

/// Seconds that this thread has had of a processor. On a host that others use too, a difference of it says what some
/// work cost; the clock would also count the others' turns.
inline double processor_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The same of all threads of this process, those that have ended included.
inline double processor_seconds_of_all_threads() {
  return processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace rv::workers
