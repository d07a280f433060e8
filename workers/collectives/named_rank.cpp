#include "workers/collectives/named_rank.h"

#include <map>

namespace rv::workers {

std::optional<int> named_most(const std::vector<int>& ranks) {
  std::map<int, int> times;
  for (const int rank : ranks) ++times[rank];
  std::optional<int> most;
  int best = 0;
  for (const auto& [rank, count] : times) {
    if (count < best) continue;
    most = count > best ? std::optional(rank) : std::nullopt;
    best = count;
  }
  return most;
}

}  // namespace rv::workers
