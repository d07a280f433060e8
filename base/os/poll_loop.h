// Waits for several descriptors with poll(2).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>

namespace rv::os {

class PollLoop {
 public:
  /// Returns POLLIN, POLLOUT, both, or 0. With 0, a hang-up is not reported either.
  using Wants = std::function<short()>;
  using Ready = std::function<void(short events)>;

  /// Does not take ownership of the descriptor. The caller must call forget() before closing it.
  void watch(int fd, Wants wants, Ready ready);
  void forget(int fd) { sources_.erase(fd); }

  /// Waits up to `at_most` until descriptors are ready, and calls their callbacks, which may call watch() and forget().
  void run_once(std::chrono::milliseconds at_most);

 private:
  struct Source {
    std::uint64_t number = 0;  // identifies the source: a descriptor may be closed and reused within a round
    Wants wants;
    Ready ready;
  };
  std::map<int, Source> sources_;
  std::uint64_t next_ = 0;
};

}  // namespace rv::os
