#include "cli/views/plan_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "cli/views/run_table.h"

namespace rv::cli {

namespace {

using planner::Strategy;

std::string limit_text(const Strategy& strategy) {
  const std::string limit = format_duration(strategy.time_limit);
  return strategy.segments > 1 ? fmt::format("{} jobs of {}", strategy.segments, limit) : limit;
}

bool is_replay(const planner::Wait& wait) {
  return wait.basis.starts_with("replay of ");
}

/// The duration of a launch does not count as a wait.
constexpr std::chrono::seconds at_once{5};

std::string wait_text(const planner::Wait& wait) {
  if (wait.basis == planner::free_now_basis) return "now";
  if (!wait.p50) return is_replay(wait) ? "over a week" : "unknown";
  if (*wait.p50 < at_once && is_replay(wait)) {
    return wait.p90 ? fmt::format("now, up to {}", rounded_duration(*wait.p90)) : "now, may be over a week";
  }
  if (wait.p50->count() <= 0) return fmt::format("now ({})", wait.basis);
  std::string text = rounded_duration(*wait.p50);
  const bool spread = wait.p10 && wait.p90 && rounded_duration(*wait.p10) != rounded_duration(*wait.p90);
  if (spread) text += fmt::format(", {} to {}", rounded_duration(*wait.p10), rounded_duration(*wait.p90));
  // The replay's own words are long, and the same for every strategy: they stand below the table.
  return is_replay(wait) ? text : fmt::format("{} ({})", text, wait.basis);
}

/// The basis of the table's predicted waits.
std::string basis_text(const planner::Plan& plan, int width) {
  const auto predicted = std::find_if(plan.strategies.begin(), plan.strategies.end(),
                                      [](const Strategy& one) { return is_replay(one.wait); });
  const auto unknown = std::find_if(plan.strategies.begin(), plan.strategies.end(),
                                    [](const Strategy& one) { return one.wait.basis.starts_with("unknown: "); });
  std::string out;
  if (predicted != plan.strategies.end()) {
    out = "\n" + wrapped("Waits: median, 10 to 90 %, by " + predicted->wait.basis, width, 2) + "\n";
    // Data that Slurm hides are among those that the replay reports as not modelled.
    if (unknown == plan.strategies.end() || unknown->wait.basis == planner::unseen_basis) return out;
  }
  if (unknown != plan.strategies.end()) {
    out += (out.empty() ? "\n" : "") + wrapped("Waits: " + unknown->wait.basis, width, 2) + "\n";
  }
  return out;
}

/// Slurm puts what it can't see an end of into a far year.
constexpr std::chrono::hours foreseeable{24 * 365};

std::string controller_text(const Strategy& strategy) {
  if (!strategy.controller) return "";
  const planner::TestOnlyResult& said = *strategy.controller;
  if (refused_by_controller(strategy)) return "refuses";
  if (!said.wait) return "unknown";
  if (*said.wait < at_once) return "now";
  return *said.wait > foreseeable ? "over a year" : rounded_duration(*said.wait);
}

/// Explains the controller's column, and quotes the controller if its answer is not a time.
std::string controller_notes(const planner::Plan& plan, int width) {
  std::string out = "\n" +
                    wrapped(
                        "Controller: sbatch --test-only on the first strategies; it assumes that running jobs use "
                        "their full limits and ignores gaps",
                        width, 2) +
                    "\n";
  for (const Strategy& strategy : plan.strategies) {
    if (!strategy.controller || strategy.controller->message.empty()) continue;
    out +=
        "  " +
        wrapped(fmt::format("{} on {}: {}{}", shape_in_words(strategy), joined(strategy.partitions),
                            refused_by_controller(strategy) ? "" : "unknown: ", one_line(strategy.controller->message)),
                width - 2, 4) +
        "\n";
  }
  return out;
}

std::string finish_text(const Strategy& strategy) {
  if (!strategy.finish) return "unknown";
  return rounded_duration(std::max(std::chrono::seconds(60), *strategy.finish));
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
  std::string out = "Rejected:\n";
  for (const auto& [reason, types] : by_reason(rejected)) {
    const auto whose = fmt::format("{}", fmt::join(types, ", "));  // empty: of no GPU type in particular
    const auto text = whose.empty() ? reason : fmt::format("{}: {}", whose, reason);
    out += fmt::format("  {}\n", wrapped(text, width - 2, 4));
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

std::string plan_table(const planner::Plan& plan, const planner::Request& request, const os::Terminal& terminal) {
  if (plan.strategies.empty()) {
    std::string out =
        fmt::format("This cluster can't provide {} for {}.\n", asked_in_words(request), format_duration(request.time));
    return out + rejections_text(plan.rejected, terminal.width);
  }
  Table table;
  table.column("#", Table::Align::right);
  // Columns that decide the choice keep their width. Titles begin alike: "A100 40 GB", "A100 80 GB".
  table.column(plan.strategies.front().gpus_per_node == 0 ? "CPUs" : "GPUs", Table::Align::left, Table::Cut::never);
  table.column("partition");
  table.column("kind");
  table.column("limit", Table::Align::right);
  table.column("wait");
  const bool probed = std::any_of(plan.strategies.begin(), plan.strategies.end(),
                                  [](const Strategy& one) { return one.controller.has_value(); });
  if (probed) table.column("controller");
  const bool segmented = std::any_of(plan.strategies.begin(), plan.strategies.end(), [](const Strategy& one) {
    return one.kind == planner::Kind::checkpoint && one.finish.has_value();
  });
  if (segmented) table.column("done in", Table::Align::right);
  table.column("cost (SU)", Table::Align::right);
  int rank = 0;
  std::size_t least_wait = 1;
  for (const Strategy& strategy : plan.strategies) {
    const auto wait = wait_text(strategy.wait);
    const auto span = std::min(wait.find(" ("), wait.size());
    least_wait = std::max(least_wait, characters(wait.substr(0, span)) + (span < wait.size() ? 1 : 0));
    std::vector<std::string> row{std::to_string(++rank),      shape_in_words(strategy),
                                 joined(strategy.partitions), std::string(planner::to_string(strategy.kind)),
                                 limit_text(strategy),        wait};
    if (probed) row.push_back(controller_text(strategy));
    if (segmented) row.push_back(finish_text(strategy));
    row.push_back(cost_text(strategy.cost_su));
    table.row(std::move(row));
  }
  table.at_least(5, least_wait);
  std::string out = table.text(terminal.table_width(), terminal.colour) + basis_text(plan, terminal.width);
  if (plan.as_good > 1) {
    out += "\n" +
           wrapped(fmt::format("{} GPU types have the same wait{}: the one with the least memory comes first, those "
                               "that CUDA 13 does not support last. -t TYPE selects another.",
                               plan.as_good, plan.strategies.front().cost_su ? " and cost the same" : ""),
                   terminal.width, 2) +
           "\n";
  }
  if (probed) out += controller_notes(plan, terminal.width);
  if (!plan.rejected.empty()) out += "\n" + rejections_text(plan.rejected, terminal.width);
  return out;
}

std::string sentences_text(const std::string& heading, const std::vector<std::string>& sentences,
                           const os::Terminal& terminal) {
  if (sentences.empty()) return "";
  std::string out = heading + "\n";
  for (const std::string& one : sentences) out += "  " + wrapped(one, terminal.width - 2, 4) + "\n";
  return out;
}

}  // namespace rv::cli
