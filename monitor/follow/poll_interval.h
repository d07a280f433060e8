// How often a client asks Slurm.
#pragma once

#include <chrono>

namespace rv::monitor {

/// The time between two questions: 2 s after a change, growing to 30 s while nothing changes. Where the controller is
/// slow to answer (overloaded, or limiting the rate of questions) a client waits four times as long as the answer took
/// before it asks again, two minutes at most.
class PollInterval {
 public:
  using Clock = std::chrono::steady_clock;
  explicit PollInterval(std::chrono::milliseconds first) : interval_(first) {}

  bool due(Clock::time_point now) const { return now >= next_; }
  /// A question put at `asked` was answered (or given up) at `answered`.
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
