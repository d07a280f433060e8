#include "planner/strategies/fan_out.h"

#include <algorithm>
#include <numeric>

namespace rv::planner {

namespace {

constexpr std::int32_t soon = 600;

/// So that what costs nothing, or an unknown amount, can be compared at all.
constexpr double least_cost = 1;

}  // namespace

std::vector<std::size_t> fan_out(const std::vector<Strategy>& strategies, int width) {
  std::vector<std::size_t> left(strategies.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::vector<std::size_t> chosen;
  std::vector<bool> started;
  std::int32_t by = soon;
  const auto take = [&](std::size_t at) {
    const std::size_t number = left[at];
    const auto& trials = strategies[number].wait.trials;
    if (chosen.empty() && strategies[number].wait.p50) {
      by = std::max(by, static_cast<std::int32_t>(strategies[number].wait.p50->count()));
    }
    started.resize(std::max(started.size(), trials.size()));
    for (std::size_t i = 0; i < trials.size(); ++i) started[i] = started[i] || trials[i] <= by;
    chosen.push_back(number);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  };
  if (!left.empty() && width > 0) take(0);
  while (!left.empty() && static_cast<int>(chosen.size()) < width) {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t at = 0; at < left.size(); ++at) {
      const Strategy& strategy = strategies[left[at]];
      int more = 0;
      for (std::size_t i = 0; i < strategy.wait.trials.size() && i < started.size(); ++i) {
        if (!started[i] && strategy.wait.trials[i] <= by) ++more;
      }
      const double gain = more / std::max(least_cost, strategy.cost_su.value_or(0));
      if (gain > most) {
        most = gain;
        best = at;
      }
    }
    take(best);
  }
  return chosen;
}

}  // namespace rv::planner
