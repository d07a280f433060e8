#include "planner/cluster/cost.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace rv::planner {

BillingRule billing_rule(const std::vector<std::string>& priority_flags) {
  const auto has = [&](std::string_view flag) {
    return std::any_of(priority_flags.begin(), priority_flags.end(),
                       [&](const std::string& one) { return lower(one) == flag; });
  };
  if (has("max_tres_gres")) return BillingRule::largest_plus_gres;
  return has("max_tres") ? BillingRule::largest : BillingRule::sum;
}

std::optional<double> billing_units(const Strategy& strategy, const Partition& partition, BillingRule rule) {
  if (partition.billing_weights.empty()) return std::nullopt;
  const double nodes = strategy.nodes;
  double sum = 0;
  double largest = 0;
  const auto add = [&](const DatabaseName& tres, double count) {
    for (const auto& [name, weight] : partition.billing_weights) {
      if (name != tres) continue;
      const double weighted = weight * count;
      const bool added =
          rule == BillingRule::sum || (rule == BillingRule::largest_plus_gres && tres.starts_with("gres/"));
      if (added) sum += weighted;
      if (!added) largest = std::max(largest, weighted);
    }
  };
  add("cpu", nodes * strategy.cpus_per_node);
  add("mem", nodes * static_cast<double>(strategy.memory_per_node.count) / 1024);
  add("node", nodes);
  // A typed GPU counts as the type and as a GPU.
  add("gres/gpu", strategy.gpus());
  if (!strategy.gres_type.empty()) add("gres/gpu:" + strategy.gres_type, strategy.gpus());
  return largest + sum;
}

Tres tres_of(const Strategy& strategy, const Partition& partition, const ControllerSettings& controller) {
  const std::int64_t cpus = std::int64_t{strategy.nodes} * strategy.cpus_per_node;
  Tres job{{"node", strategy.nodes}, {"gres/gpu", strategy.gpus()}};
  if (!strategy.gres_type.empty()) job["gres/gpu:" + strategy.gres_type] = strategy.gpus();
  if (cpus > 0) job["cpu"] = cpus;
  if (strategy.memory_per_node.count > 0) job["mem"] = strategy.nodes * strategy.memory_per_node.count;
  const auto billing = billing_units(strategy, partition, billing_rule(controller.priority_flags));
  job["billing"] = billing ? static_cast<std::int64_t>(*billing) : cpus;
  return job;
}

std::optional<double> cost_su(const Strategy& strategy, double su_factor, const Cluster& cluster) {
  const double hours = std::chrono::duration<double, std::ratio<3600>>(strategy.work_time).count();
  if (strategy.gpu.su_per_gpu_hour) return strategy.gpus() * hours * *strategy.gpu.su_per_gpu_hour * su_factor;
  const BillingRule rule = billing_rule(cluster.controller.priority_flags);
  std::optional<double> dearest;
  for (const std::string& name : strategy.partitions) {
    const Partition* partition = cluster.find_partition(name);
    const auto units = partition == nullptr ? std::nullopt : billing_units(strategy, *partition, rule);
    if (!units) return std::nullopt;
    dearest = std::max(dearest.value_or(0), *units);
  }
  if (!dearest) return std::nullopt;
  return *dearest * hours * su_factor;
}

}  // namespace rv::planner
