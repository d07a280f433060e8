#include "workers/training/step_means.h"

#include <algorithm>
#include <numeric>

namespace rv::workers {

std::vector<double> means_over_ranks(const std::vector<nlohmann::ordered_json>& ranks, const char* key, bool& finite) {
  std::vector<double> means(ranks.at(0).at(key).size(), 0.0);
  for (const auto& one : ranks) {
    const auto& numbers = one.at(key);
    for (std::size_t i = 0; i < means.size() && i < numbers.size(); ++i) {
      finite = finite && numbers[i].is_number();
      if (numbers[i].is_number()) means[i] += numbers[i].get<double>() / static_cast<double>(ranks.size());
    }
  }
  return means;
}

double newest_mean(const std::vector<double>& by_step) {
  const auto count = std::min<std::ptrdiff_t>(std::ssize(by_step), 10);
  if (count == 0) return 0;
  return std::accumulate(by_step.end() - count, by_step.end(), 0.0) / static_cast<double>(count);
}

}  // namespace rv::workers
