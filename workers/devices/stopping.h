#pragma once

#include <cstddef>
#include <vector>

#include "shared/median.h"

namespace rv::workers {

/// Decides when a measurement has enough samples: the minimum number and time are reached and the median is stable, or
/// the deadline has passed. It has no clock: its time is the sum of the samples' times, so it works the same way for a
/// GPU, a CPU and a test.
class StoppingRule {
 public:
  struct Limits {
    double least_seconds = 0.2;      ///< before this much measured time, clocks and power have not settled
    double most_seconds = 2;         ///< deadline: stop even if the median is not stable
    std::size_t least_samples = 10;  ///< the minimum for a spread; the deadline overrides it
    double relative_error = 0.002;   ///< standard error of the median over the median
  };

  explicit StoppingRule(Limits limits) : limits_(limits) {}

  /// Adds a sample: `value` is the quantity to summarise (seconds per repeat), `seconds` the total time of the sample.
  void add(double value, double seconds);
  bool finished();
  const std::vector<double>& values() const { return values_; }

 private:
  Limits limits_;
  std::vector<double> values_;
  double seconds_ = 0;
  std::size_t next_check_ = 0;  ///< number of samples at which the median is checked next
};

}  // namespace rv::workers
