#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace rv::workers {

/// Calls `bite` once, from its own thread, if `progress` has not been called for `patience`. A GPU that hangs blocks
/// the calling thread forever, and only the end of the process frees it.
class Watchdog {
 public:
  Watchdog(std::chrono::milliseconds patience, std::function<void()> bite);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void progress();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool done_ = false;
  std::thread thread_;
};

}  // namespace rv::workers
