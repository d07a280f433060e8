#include "workers/ranks/watchdog.h"

namespace rv::workers {

Watchdog::Watchdog(std::chrono::milliseconds patience, std::function<void()> bite) {
  thread_ = std::thread([this, patience, action = std::move(bite)] {
    std::unique_lock lock(mutex_);
    while (!done_) {
      const auto until = last_ + patience;
      if (std::chrono::steady_clock::now() >= until) {
        lock.unlock();
        action();
        return;
      }
      changed_.wait_until(lock, until);
    }
  });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::progress() {
  const std::lock_guard lock(mutex_);
  last_ = std::chrono::steady_clock::now();
}

}  // namespace rv::workers
