#include "reports/accept/outliers.h"

#include <algorithm>
#include <cmath>

#include "shared/median.h"

namespace rv::accept {

std::vector<std::size_t> worse_than_the_others(const std::vector<double>& values, bool smaller_is_better, bool latency,
                                               const std::vector<double>& spreads) {
  if (values.size() < 2) return {};
  const bool few = values.size() < 4;
  const auto best = smaller_is_better ? *std::min_element(values.begin(), values.end())
                                      : *std::max_element(values.begin(), values.end());
  const double reference = few ? best : median(values);
  const double least = latency ? 0.5 : few ? 0.10 : 0.05;
  const double spread = few ? 0 : 5 * 1.4826 * median_absolute_deviation(values);
  const double margin = std::max(least * reference, spread);
  std::vector<std::size_t> worse;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double behind = smaller_is_better ? values[i] - reference : reference - values[i];
    const double own = i < spreads.size() ? 2 * spreads[i] : 0;
    if (behind > std::max(margin, own)) worse.push_back(i);
  }
  return worse;
}

}  // namespace rv::accept
