// Waits learned from earlier submissions of the same log: the real waits of those that looked alike.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/past/past_wait.h"

namespace rv::planner {

/// A submission: what was known at its time, and the real start.
struct PastCase {
  enum Feature : std::size_t {
    replayed,     // log of the replay's median wait
    backlog,      // log of the time for which waiting jobs that are not larger would fill the machine
    own_backlog,  // log of the time limits of the user's waiting jobs
    size,         // log of its GPUs or nodes
    limit,        // log of its time limit
    feature_count,
  };

  std::array<double, feature_count> features{};
  PastWait replay;
  std::uint64_t user = 0;  // a hash; 0: unknown
  TimePoint submitted;
  TimePoint start;
};

/// A time as a feature: the logarithm of the time plus five minutes, so that differences of short times count little.
double time_feature(double seconds);

class LearnedWaits {
 public:
  /// Weighted quantiles of the real waits of earlier cases (kernel regression: Nadaraya and Watson, 1964): a case
  /// counts the more, the nearer its features, the more recent its submission, and if the user is the same. A case that
  /// has waited for at least an hour and still waits counts with 1.5 times that time. The replay's own quantiles count
  /// a little, so that there is a prediction without cases.
  PastWait predict(const PastCase& now) const;

  /// Adds a case, and drops the oldest beyond 2,000. Its start is used only for predictions at a later time than that
  /// start.
  void add(const PastCase& earlier);

 private:
  std::vector<PastCase> cases_;
};

}  // namespace rv::planner
