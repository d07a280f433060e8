#include "planner/cluster/cost.h"

#include <algorithm>

#include "base/text.h"

namespace rv::planner {

std::optional<double> billing_units(const Strategy& strategy, const Partition& partition, bool max_tres) {
  if (partition.billing_weights.empty()) return std::nullopt;
  const double nodes = strategy.nodes;
  double sum = 0;
  double largest = 0;
  const auto add = [&](const std::string& tres, double count) {
    for (const auto& [name, weight] : partition.billing_weights) {
      if (lower(name) != lower(tres)) continue;
      sum += weight * count;
      largest = std::max(largest, weight * count);
    }
  };
  add("cpu", nodes * strategy.cpus_per_node);
  add("mem", nodes * static_cast<double>(strategy.memory_per_node.count) / 1024);
  add("node", nodes);
  // A typed GPU counts as the type and as a GPU.
  add("gres/gpu", strategy.gpus());
  if (!strategy.gres_type.empty()) add("gres/gpu:" + strategy.gres_type, strategy.gpus());
  return max_tres ? largest : sum;
}

std::optional<double> cost_su(const Strategy& strategy, double su_factor, const Cluster& cluster) {
  const double hours = std::chrono::duration<double, std::ratio<3600>>(strategy.work_time).count();
  if (strategy.gpu.su_per_gpu_hour) return strategy.gpus() * hours * *strategy.gpu.su_per_gpu_hour * su_factor;
  const auto& flags = cluster.controller.priority_flags;
  const bool max_tres = std::find(flags.begin(), flags.end(), "MAX_TRES") != flags.end();
  std::optional<double> dearest;
  for (const std::string& name : strategy.partitions) {
    const Partition* partition = cluster.find_partition(name);
    const auto units = partition == nullptr ? std::nullopt : billing_units(strategy, *partition, max_tres);
    if (!units) return std::nullopt;
    dearest = std::max(dearest.value_or(0), *units);
  }
  if (!dearest) return std::nullopt;
  return *dearest * hours * su_factor;
}

}  // namespace rv::planner
