// Waiting for many descriptors at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>

namespace rv::os {

class PollLoop {
 public:
  /// POLLIN, POLLOUT, both, or 0: then even a hang-up is not reported.
  using Wants = std::function<short()>;
  using Ready = std::function<void(short events)>;

  /// The descriptor stays the caller's, who forgets it before closing it.
  void watch(int fd, Wants wants, Ready ready);
  void forget(int fd) { sources_.erase(fd); }

  /// Waits until something can be done or the time is up, and does it. Callbacks may watch and forget.
  void run_once(std::chrono::milliseconds at_most);

 private:
  struct Source {
    std::uint64_t number = 0;  // a descriptor's number may come back within a round
    Wants wants;
    Ready ready;
  };
  std::map<int, Source> sources_;
  std::uint64_t next_ = 0;
};

}  // namespace rv::os
