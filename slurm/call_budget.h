// Limits the number and rate of queries to the controller.
#pragma once

#include <chrono>
#include <functional>

namespace rv::slurm {

/// A token bucket with a back-off. The bucket is like the one with which a controller limits a user's rate
/// (slurm.conf(5), SlurmctldParameters=rl_enable: 30 tokens, 2 more each second). After a slow answer the next query
/// waits as long as the answer took, and after each further slow answer twice as long as before; a fast answer ends the
/// back-off. This class never sleeps itself.
class CallBudget {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  struct Rates {
    double calls = 30;      // tokens in a full bucket
    double per_second = 2;  // tokens that are added
    std::chrono::milliseconds slow{1000};
    std::chrono::milliseconds longest_pause{30'000};
  };

  /// The bucket is full at first.
  explicit CallBudget(Clock clock, const Rates& rates);
  explicit CallBudget(Clock clock);

  /// Takes tokens for calls of another process, at most all tokens in the bucket.
  void spend(int calls);

  /// Continues with a bucket that had `tokens` (may be negative) `ago` before now.
  void resume(double tokens, std::chrono::milliseconds ago);

  /// The tokens in the bucket.
  double tokens() const;

  /// The time until the next call may begin; 0: now.
  std::chrono::milliseconds wait() const;

  /// Call this before a call of Slurm. Takes a token, even if none is left.
  void begin();

  /// Call this after it has ended, with or without an answer.
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
