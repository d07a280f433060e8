#pragma once

#include <ctime>

namespace rv::workers {

/// CPU seconds of this thread. On a shared host the difference of two values is the cost of some work; elapsed time
/// would include the turns of other processes.
inline double processor_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// CPU seconds of all threads of this process, including those that have ended.
inline double processor_seconds_of_all_threads() {
  return processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace rv::workers
