#include "monitor/jobs/prediction_accuracy.h"

#include <algorithm>
#include <cmath>

namespace rv::monitor {
namespace {

// Nearest rank; `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double share) {
  const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(place, sorted.size() - 1)];
}

/// Koenker and Bassett, "Regression Quantiles" (1978): the loss of a predicted quantile, in seconds.
double pinball(seconds real, seconds quantile, double share) {
  const auto above = static_cast<double>((real - quantile).count());
  return above >= 0 ? share * above : (share - 1) * above;
}

double log2_ratio(seconds real, seconds predicted) {
  constexpr seconds least{60};
  const auto ratio = [](seconds a, seconds b) {
    return static_cast<double>(a.count()) / static_cast<double>(b.count());
  };
  return std::abs(std::log2(ratio(std::max(predicted, least), std::max(real, least))));
}

}  // namespace

Accuracy accuracy(const std::vector<seconds>& real, const std::vector<Prediction>& predicted) {
  Accuracy result;
  result.jobs = real.size();
  std::vector<double> errors;
  std::vector<double> ratios;
  double loss = 0;
  std::size_t near = 0;
  std::size_t spreads = 0;
  std::size_t inside = 0;
  std::size_t nearly_inside = 0;
  for (std::size_t i = 0; i < real.size(); ++i) {
    const auto& one = predicted[i];
    if (one.p50) {
      const seconds error = std::chrono::abs(real[i] - *one.p50);
      errors.push_back(static_cast<double>(error.count()));
      ratios.push_back(log2_ratio(real[i], *one.p50));
      if (error <= std::max<seconds>(std::chrono::minutes(10), real[i] / 4)) ++near;
    }
    if (!one.p10 || !one.p90) continue;
    loss += pinball(real[i], *one.p10, 0.1) + pinball(real[i], one.p50.value_or(*one.p90), 0.5) +
            pinball(real[i], *one.p90, 0.9);
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
  std::sort(ratios.begin(), ratios.end());
  result.median_log2_ratio = quantile(ratios, 0.5);
  result.within_quarter = static_cast<double>(near) / static_cast<double>(errors.size());
  result.within_1_min = share_within(60);
  result.within_10_min = share_within(600);
  if (spreads > 0) {
    result.coverage = static_cast<double>(inside) / static_cast<double>(spreads);
    result.pinball_s = loss / static_cast<double>(3 * spreads);
    result.coverage_1_min = static_cast<double>(nearly_inside) / static_cast<double>(spreads);
  }
  return result;
}

}  // namespace rv::monitor
