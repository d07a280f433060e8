#include "planner/strategies/rank.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace rv::planner {

namespace {

using Key = std::tuple<double, double, bool, int, std::int64_t, const std::string&, Kind,
                       const std::vector<std::string>&, int, std::int64_t, const std::string&, const std::string&,
                       const DatabaseName&, const DatabaseName&, const std::vector<std::string>&>;

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Seconds to the end of the work, without what is finer than a prediction.
double rounded_finish(const Strategy& strategy) {
  if (!strategy.finish && !strategy.wait.p50) return unknown;
  const std::int64_t work = strategy.work_time.count();
  const std::int64_t beyond = strategy.finish ? strategy.finish->count() - work : strategy.wait.p50->count();
  constexpr std::int64_t hour = 3600;
  const std::int64_t grain = beyond < hour ? 60 : (beyond < 6 * hour ? 300 : 900);
  const std::int64_t rounded = beyond / grain * grain;
  return static_cast<double>(rounded + work);
}

Key key(const Strategy& strategy, const Goal& goal) {
  double first = rounded_finish(strategy);
  double second = strategy.cost_su.value_or(unknown);
  if (goal.aim == Aim::cheapest) std::swap(first, second);
  if (goal.aim == Aim::mix) first = first / 3600 * goal.su_per_hour + second;
  const bool preferred =
      std::any_of(strategy.partitions.begin(), strategy.partitions.end(), [&](const std::string& name) {
        return std::find(goal.preferred_partitions.begin(), goal.preferred_partitions.end(), name) !=
               goal.preferred_partitions.end();
      });
  const std::int64_t less_memory = strategy.gpu.vram ? -strategy.gpu.vram->count : 1;
  return {first,
          second,
          !preferred,
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

void rank(std::vector<Strategy>& strategies, const Goal& goal) {
  std::stable_sort(strategies.begin(), strategies.end(),
                   [&](const Strategy& a, const Strategy& b) { return key(a, goal) < key(b, goal); });
}

}  // namespace rv::planner
