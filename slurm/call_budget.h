// Limits how many queries the controller gets, and how fast.
#pragma once

#include <chrono>
#include <functional>

namespace rv::slurm {

/// A token bucket like the one by which a controller rates a user (slurm.conf(5), SlurmctldParameters=rl_enable: 30
/// tokens, 2 more each second), and a back-off: after a slow answer the next question waits as long as the answer took,
/// after each further slow one twice as long as before; a fast answer ends that. A value; it never sleeps itself.
class CallBudget {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  struct Rates {
    double calls = 30;      // in a full bucket
    double per_second = 2;  // that come back
    std::chrono::milliseconds slow{1000};
    std::chrono::milliseconds longest_pause{30'000};
  };

  /// Full at first.
  explicit CallBudget(Clock clock, const Rates& rates);
  explicit CallBudget(Clock clock);

  /// Takes tokens for calls of another process, at most all that are in the bucket.
  void spend(int calls);

  /// Continues with a bucket that held `tokens` (may be negative) at the time `ago` before now.
  void resume(double tokens, std::chrono::milliseconds ago);

  /// What the bucket holds.
  double tokens() const;

  /// How long until the next call may begin; 0: now.
  std::chrono::milliseconds wait() const;

  /// A call begins. Takes a token, even if none is left.
  void begin();

  /// The call has ended, with or without an answer.
  void end();

 private:
  Clock clock_;
  Rates rates_;
  double tokens_;
  std::chrono::steady_clock::time_point counted_;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point not_before_;
  std::chrono::milliseconds pause_{0};
};

}  // namespace rv::slurm
