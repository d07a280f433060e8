// The time between a client's queries of Slurm.
#pragma once

#include <chrono>

namespace rv::monitor {

/// The time between two queries: 2 s after a change, growing to 30 s while nothing changes. If the controller answers
/// slowly (it is overloaded, or limits the rate of queries), a client waits four times as long as the answer took, two
/// minutes at most.
class PollInterval {
 public:
  using Clock = std::chrono::steady_clock;
  explicit PollInterval(std::chrono::milliseconds first) : interval_(first) {}

  bool due(Clock::time_point now) const { return now >= next_; }
  /// Call this after a query that began at `asked` and was answered, or given up, at `answered`.
  void asked(Clock::time_point asked, Clock::time_point answered, bool changed);

 private:
  static constexpr std::chrono::milliseconds shortest{2'000};
  static constexpr std::chrono::milliseconds longest{30'000};
  static constexpr std::chrono::milliseconds longest_rest{120'000};
  static constexpr int rest_for_answer = 4;
  std::chrono::milliseconds interval_;
  Clock::time_point next_ = Clock::now() + interval_;
};

}  // namespace rv::monitor
