#include "planner/rank.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

namespace rv::planner {

namespace {

using Key = std::tuple<std::int64_t, double, int, std::int64_t, const std::string&, Kind,
                       const std::vector<std::string>&, int, std::int64_t, const std::string&, const std::string&,
                       const std::string&, const std::string&, const std::vector<std::string>&>;

Key key(const Strategy& strategy) {
  const std::int64_t wait = strategy.wait.p50 ? strategy.wait.p50->count() : std::numeric_limits<std::int64_t>::max();
  const double cost = strategy.cost_su.value_or(std::numeric_limits<double>::infinity());
  const std::int64_t less_memory = strategy.gpu.vram ? -strategy.gpu.vram->count : 1;
  return {wait,
          cost,
          strategy.nodes,
          less_memory,
          strategy.gpu.name,
          strategy.kind,
          strategy.partitions,
          strategy.gpus_per_node,
          strategy.time_limit.count(),
          strategy.gres_type,
          strategy.constraint,
          strategy.account,
          strategy.qos,
          strategy.exclude};
}

}  // namespace

void rank(std::vector<Strategy>& strategies) {
  std::stable_sort(strategies.begin(), strategies.end(),
                   [](const Strategy& a, const Strategy& b) { return key(a) < key(b); });
}

}  // namespace rv::planner
