#include "planner/strategies/rank.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace rv::planner {

namespace {

using Key = std::tuple<double, bool, double, bool, int, bool, std::int64_t, double, const std::string&, Kind,
                       const std::vector<std::string>&, int, std::int64_t, const std::string&, const std::string&,
                       const DatabaseName&, const DatabaseName&, const std::vector<std::string>&>;

constexpr double unknown = std::numeric_limits<double>::infinity();

/// GPUs below it are not supported by CUDA 13 (release notes of CUDA 13.0, "Deprecated architectures").
constexpr double oldest_served = 7.5;

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
  return {first,
          strategy.on_gpu_nodes,
          second,
          !preferred,
          strategy.nodes,
          strategy.gpu.capability.value_or(oldest_served) < oldest_served,
          strategy.gpu.vram ? strategy.gpu.vram->count : std::numeric_limits<std::int64_t>::max(),
          strategy.gpu.capability.value_or(unknown),
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

std::size_t models_as_good(const std::vector<Strategy>& strategies, const Goal& goal) {
  std::vector<std::string> models{strategies.front().gpu.name};
  if (rounded_finish(strategies.front()) == unknown) return models.size();
  for (const Strategy& one : strategies) {
    const auto same = [&](const auto& a, const auto& b) {
      return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b) && std::get<2>(a) == std::get<2>(b) &&
             std::get<3>(a) == std::get<3>(b) && std::get<4>(a) == std::get<4>(b);
    };
    if (!same(key(one, goal), key(strategies.front(), goal))) break;
    if (std::find(models.begin(), models.end(), one.gpu.name) == models.end()) models.push_back(one.gpu.name);
  }
  return models.size();
}

}  // namespace rv::planner
