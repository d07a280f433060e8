#include "cli/launch/fit_launcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/launch/launch_words.h"
#include "cli/project/launcher.h"

namespace rv::cli {
namespace {

using project::LauncherCounts;

std::optional<LauncherCounts> counts_of(const templates::JobSpec& job) {
  // Several launchers on a node divide its GPUs in their own ways.
  if (job.hold || job.processes_per_node != 1) return std::nullopt;
  bool whole = true;
  if (job.typed.size() == 1) project::plain_words(job.typed.front(), &whole);
  return project::launcher_counts(project::words_of_command(job.typed, properties_of), whole);
}

/// "-g 8 --nodes 2"; empty where the numbers leave it open.
std::string options_for(const LauncherCounts& counts) {
  const bool one_count = counts.nodes && counts.nodes->least == counts.nodes->most;
  const int nodes = one_count ? counts.nodes->least : 0;
  const int gpus = counts.gpus ? *counts.gpus : counts.gpus_per_node ? *counts.gpus_per_node * std::max(nodes, 1) : 0;
  std::string text = gpus > 0 ? fmt::format("-g {}", gpus) : "";
  if (nodes == 1) text += text.empty() ? "--single-node" : " --single-node";
  if (nodes > 1) text += fmt::format("{}--nodes {}", text.empty() ? "" : " ", nodes);
  return text;
}

}  // namespace

bool fits_launcher(const planner::Strategy& strategy, const templates::JobSpec& job) {
  const auto counts = counts_of(job);
  return !counts || strategy.gpus_per_node == 0 || counts->fits(strategy.nodes, strategy.gpus_per_node);
}

std::optional<std::string> fit_launcher(planner::Plan& plan, const templates::JobSpec& job) {
  const auto counts = counts_of(job);
  if (!counts) return std::nullopt;
  const auto fits = [&](const planner::Strategy& strategy) { return fits_launcher(strategy, job); };
  const auto all = plan.strategies.size();
  const auto fitting = static_cast<std::size_t>(std::count_if(plan.strategies.begin(), plan.strategies.end(), fits));
  if (fitting == all) return std::nullopt;
  const auto wants = fmt::format("{} starts {} ({})", counts->launcher, counts->shown(), counts->said);
  if (fitting == 0) {
    const auto options = options_for(*counts);
    return fmt::format("{}, and no strategy has these numbers of nodes and GPUs{}", wants,
                       options.empty() ? "" : fmt::format(": use {}", options));
  }
  std::vector<std::string> kept;
  for (const auto& strategy : plan.strategies) {
    if (fits(strategy)) kept.push_back(strategy.gpu.name);
  }
  for (const auto& strategy : plan.strategies) {
    if (contains(kept, strategy.gpu.name)) continue;
    kept.push_back(strategy.gpu.name);
    plan.rejected.push_back({strategy.gpu.name, wants + "; this cluster has no such combination"});
  }
  std::erase_if(plan.strategies, [&](const planner::Strategy& strategy) { return !fits(strategy); });
  return fmt::format("{}: {} with other numbers of nodes and GPUs {} left out", wants,
                     all - fitting == 1 ? "1 strategy" : fmt::format("{} strategies", all - fitting),
                     all - fitting == 1 ? "is" : "are");
}

}  // namespace rv::cli
