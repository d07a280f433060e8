#include "workers/devices/stopping.h"

#include <cmath>

namespace rv::workers {

void StoppingRule::add(double value, double seconds) {
  values_.push_back(value);
  seconds_ += seconds;
}

bool StoppingRule::finished() {
  if (values_.empty()) return false;
  if (seconds_ >= limits_.most_seconds) return true;
  if (values_.size() < limits_.least_samples || seconds_ < limits_.least_seconds) return false;
  // Computing the median takes time proportional to the number of samples; doing it for each sample would be quadratic.
  if (values_.size() < next_check_) return false;
  next_check_ = values_.size() + values_.size() / 8 + 1;
  // The median of n normal samples has the standard error 1.2533·σ/√n, and σ ≈ 1.4826·MAD.
  const auto error =
      1.2533 * 1.4826 * median_absolute_deviation(values_) / std::sqrt(static_cast<double>(values_.size()));
  return error <= limits_.relative_error * std::abs(median(values_));
}

}  // namespace rv::workers
