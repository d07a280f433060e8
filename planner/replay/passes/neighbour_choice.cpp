#include "planner/replay/passes/neighbour_choice.h"

#include <cstdint>

namespace rv::planner {

std::size_t begin_of_choice(const std::vector<FreeNode>& free, std::size_t wanted, const std::vector<int>& positions) {
  std::size_t best = free.size();
  std::int64_t fewest = 0;
  for (std::size_t first = 0; first < free.size();) {
    std::size_t last = first;
    std::int64_t cpus = free[first].first;
    while (last + 1 < free.size() && positions[free[last + 1].second] == positions[free[last].second] + 1) {
      cpus += free[++last].first;
    }
    if (last - first + 1 >= wanted && (best == free.size() || cpus < fewest)) {
      best = first;
      fewest = cpus;
    }
    first = last + 1;
  }
  return best == free.size() ? 0 : best;
}

}  // namespace rv::planner
