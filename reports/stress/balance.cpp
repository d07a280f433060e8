#include "reports/stress/balance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rv::stress {

Balance balance_of(const std::vector<double>& shares) {
  Balance balance;
  balance.of = static_cast<int>(shares.size());
  if (shares.size() < 2) return balance;
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  const auto count = static_cast<double>(shares.size());
  const auto mean = std::accumulate(shares.begin(), shares.end(), 0.0) / count;
  if (*least > 0) balance.most_to_least = *most / *least;
  double squares = 0;
  for (const auto share : shares) squares += (share - mean) * (share - mean);
  if (mean > 0) balance.variation = std::sqrt(squares / count) / mean;
  return balance;
}

Balance balance_of_workers(const NodeEvidence& node) {
  std::vector<double> shares;
  for (const auto& worker : node.workers) shares.push_back(static_cast<double>(worker.operations));
  return balance_of(shares);
}

Balance balance_of_gpus(const NodeEvidence& node) {
  std::vector<double> shares;
  for (const auto& one : node.together) {
    const auto& first = node.together.front();
    if (one.gpu >= 0 && one.model == first.model && one.workers == first.workers) {
      shares.push_back(static_cast<double>(one.operations));
    }
  }
  return balance_of(shares);
}

}  // namespace rv::stress
