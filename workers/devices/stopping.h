#pragma once

#include <cstddef>
#include <vector>

#include "shared/median.h"

namespace rv::workers {

/// When to stop measuring: enough samples, enough time, and a median that no longer moves; or the deadline. It has no
/// clock: the time is the sum of what was measured, so the rule is the same for a GPU, a CPU and a test.
class StoppingRule {
 public:
  struct Limits {
    double least_seconds = 0.2;      ///< measured time below which clocks and power have not settled
    double most_seconds = 2;         ///< deadline: stop even if the median still moves
    std::size_t least_samples = 10;  ///< fewer say nothing about spread; the deadline ends sooner all the same
    double relative_error = 0.002;   ///< standard error of the median over the median
  };

  explicit StoppingRule(Limits limits) : limits_(limits) {}

  /// One sample: `value` is what is summarised (seconds per repeat), `seconds` the time it took altogether.
  void add(double value, double seconds);
  bool finished();
  const std::vector<double>& values() const { return values_; }

 private:
  Limits limits_;
  std::vector<double> values_;
  double seconds_ = 0;
  std::size_t next_look_ = 0;  ///< samples at which the median is looked at again
};

}  // namespace rv::workers
