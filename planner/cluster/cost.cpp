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

namespace {

/// Without the billing: of whole nodes, what Strategy::charged says.
Tres counted_tres(const Strategy& strategy) {
  if (!strategy.charged.empty()) return strategy.charged;
  const std::int64_t cpus = std::int64_t{strategy.nodes} * strategy.cpus_per_node;
  Tres job{{"node", strategy.nodes}, {"gres/gpu", strategy.gpus()}};
  // A typed GPU counts as the type and as a GPU.
  if (!strategy.gres_type.empty()) job["gres/gpu:" + strategy.gres_type] = strategy.gpus();
  if (cpus > 0) job["cpu"] = cpus;
  if (strategy.memory_per_node.count > 0) job["mem"] = strategy.nodes * strategy.memory_per_node.count;
  return job;
}

}  // namespace

std::optional<double> billing_units(const Strategy& strategy, const Partition& partition, BillingRule rule) {
  if (partition.billing_weights.empty()) return std::nullopt;
  double sum = 0;
  double largest = 0;
  for (const auto& [tres, count] : counted_tres(strategy)) {
    const auto weight = partition.billing_weights.find(tres);
    if (weight == partition.billing_weights.end()) continue;
    const double unit = tres == DatabaseName("mem") ? 1024 : 1;
    const double weighted = weight->second * static_cast<double>(count) / unit;
    const bool added =
        rule == BillingRule::sum || (rule == BillingRule::largest_plus_gres && tres.starts_with("gres/"));
    if (added) sum += weighted;
    if (!added) largest = std::max(largest, weighted);
  }
  return largest + sum;
}

Tres tres_of(const Strategy& strategy, const Partition& partition, const ControllerSettings& controller) {
  Tres job = counted_tres(strategy);
  const auto billing = billing_units(strategy, partition, billing_rule(controller.priority_flags));
  job["billing"] = billing ? static_cast<std::int64_t>(*billing) : amount(job, "cpu").value_or(0);
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
