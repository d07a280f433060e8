#include "cli/plan_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "cli/table.h"
#include "planner/walltime.h"

namespace rv::cli {

namespace {

using planner::Strategy;

std::string gpus_text(const Strategy& strategy) {
  const std::string& title = strategy.gpu.title.empty() ? strategy.gpu.name : strategy.gpu.title;
  if (strategy.nodes == 1) return fmt::format("{}× {}", strategy.gpus_per_node, title);
  return fmt::format("{}×{} {}", strategy.nodes, strategy.gpus_per_node, title);
}

std::string limit_text(const Strategy& strategy) {
  const std::string limit = planner::format_duration(strategy.time_limit);
  return strategy.segments > 1 ? fmt::format("{}× {}", strategy.segments, limit) : limit;
}

std::string wait_text(const planner::Wait& wait) {
  if (!wait.p50) return "unknown";
  if (wait.p50->count() <= 0) return wait.basis == "free now" ? "now" : fmt::format("now ({})", wait.basis);
  std::string text = planner::format_duration(*wait.p50);
  if (wait.p10 && wait.p90) {
    text += fmt::format(", {} to {}", planner::format_duration(*wait.p10), planner::format_duration(*wait.p90));
  }
  return fmt::format("{} ({})", text, wait.basis);
}

/// GPU types in order of appearance, for each reason in order of appearance.
std::vector<std::pair<std::string, std::vector<std::string>>> by_reason(
    const std::vector<planner::Rejection>& rejected) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const planner::Rejection& rejection : rejected) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == rejection.reason; });
    if (group == groups.end()) group = groups.insert(groups.end(), {rejection.reason, {}});
    auto& types = group->second;
    if (std::find(types.begin(), types.end(), rejection.gpu_type) == types.end()) types.push_back(rejection.gpu_type);
  }
  return groups;
}

std::string rejections_text(const std::vector<planner::Rejection>& rejected, int width) {
  if (rejected.empty()) return {};
  std::string out = "Not offered:\n";
  for (const auto& [reason, types] : by_reason(rejected)) {
    out += "  " + wrapped(fmt::format("{}: {}", fmt::join(types, ", "), reason), width - 2, 4) + "\n";
  }
  return out;
}

}  // namespace

std::string cost_text(std::optional<double> cost_su) {
  if (!cost_su) return "unknown";
  const double cost = *cost_su;
  if (cost == 0.0) return "0";
  if (std::abs(cost) >= 99.95) return fmt::format("{:.0f}", cost);
  if (std::abs(cost) >= 9.995) return fmt::format("{:.1f}", cost);
  return fmt::format("{:.2f}", cost);
}

std::string plan_table(const planner::Plan& plan, const planner::Request& request, const Terminal& terminal) {
  if (plan.strategies.empty()) {
    std::string out = fmt::format("Nothing on this cluster gives {} GPU{} for {}.\n", request.gpus,
                                  request.gpus == 1 ? "" : "s", planner::format_duration(request.time));
    return out + rejections_text(plan.rejected, terminal.width);
  }
  Table table;
  table.column("#", Table::Align::right);
  table.column("GPUs");
  table.column("partition");
  table.column("kind");
  table.column("limit", Table::Align::right);
  table.column("wait");
  table.column("cost (SU)", Table::Align::right);
  int rank = 0;
  for (const Strategy& strategy : plan.strategies) {
    table.row({std::to_string(++rank), gpus_text(strategy), fmt::format("{}", fmt::join(strategy.partitions, ",")),
               std::string(planner::to_string(strategy.kind)), limit_text(strategy), wait_text(strategy.wait),
               cost_text(strategy.cost_su)});
  }
  std::string out = table.text(terminal.width, terminal.colour);
  if (!plan.rejected.empty()) out += "\n" + rejections_text(plan.rejected, terminal.width);
  return out;
}

}  // namespace rv::cli
