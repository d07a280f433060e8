#include "monitor/jobs/prediction_accuracy.h"

#include <algorithm>

namespace rv::monitor {
namespace {

// Nearest rank; `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double share) {
  const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(place, sorted.size() - 1)];
}

}  // namespace

Accuracy accuracy(const std::vector<seconds>& real, const std::vector<Prediction>& predicted) {
  Accuracy result;
  result.jobs = real.size();
  std::vector<double> errors;
  std::size_t spreads = 0;
  std::size_t inside = 0;
  std::size_t nearly_inside = 0;
  for (std::size_t i = 0; i < real.size(); ++i) {
    const auto& one = predicted[i];
    if (one.p50) errors.push_back(static_cast<double>(std::chrono::abs(real[i] - *one.p50).count()));
    if (!one.p10 || !one.p90) continue;
    constexpr seconds minute{60};
    ++spreads;
    if (real[i] >= *one.p10 && real[i] <= *one.p90) ++inside;
    if (real[i] >= *one.p10 - minute && real[i] <= *one.p90 + minute) ++nearly_inside;
  }
  result.predicted = errors.size();
  if (errors.empty()) return result;
  std::sort(errors.begin(), errors.end());
  const auto share_within = [&](double bound) {
    const auto end = std::upper_bound(errors.begin(), errors.end(), bound);
    return static_cast<double>(end - errors.begin()) / static_cast<double>(errors.size());
  };
  result.median_error_s = quantile(errors, 0.5);
  result.p90_error_s = quantile(errors, 0.9);
  result.within_1_min = share_within(60);
  result.within_10_min = share_within(600);
  if (spreads > 0) {
    result.coverage = static_cast<double>(inside) / static_cast<double>(spreads);
    result.coverage_1_min = static_cast<double>(nearly_inside) / static_cast<double>(spreads);
  }
  return result;
}

}  // namespace rv::monitor
