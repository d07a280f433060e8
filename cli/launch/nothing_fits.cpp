#include "cli/launch/nothing_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/walltime.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv::cli {
namespace {

using planner::Strategy;

/// The whole GPUs of one type on nodes that take jobs, now or some day, or on one such node: the type that has most.
std::pair<std::string, int> most_of_one_type(const planner::Cluster& cluster, bool on_one_node) {
  std::map<std::string, int> counts;
  for (const auto& node : cluster.nodes) {
    if (!node.state.may_return()) continue;
    for (const auto& pool : node.gpus) {
      if (planner::is_mig_profile(pool.type)) continue;
      int& count = counts[pool.type];
      count = on_one_node ? std::max(count, pool.total) : count + pool.total;
    }
  }
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& one, const auto& other) { return one.second < other.second; });
  if (most == counts.end()) return {};
  return {most->first, most->second};
}

Error refused_by_all(const std::string& asked) {
  return {fmt::format("the controller refuses every way to get {}; nothing was submitted", asked),
          "see its messages in the table; rv plan --probe queries it again", ExitCode::no_strategy};
}

}  // namespace

Error nothing_fits(const planner::Plan& plan, const planner::Cluster& cluster, const planner::Request& request) {
  const std::string asked = fmt::format("{} for {}", asked_in_words(request), format_duration(request.time));
  if (!plan.strategies.empty() &&
      std::all_of(plan.strategies.begin(), plan.strategies.end(), planner::refused_by_controller)) {
    return refused_by_all(asked);
  }
  const Strategy* longest = nullptr;
  for (const auto& strategy : plan.strategies) {
    if (strategy.kind != planner::Kind::checkpoint) continue;
    if (longest == nullptr || strategy.time_limit > longest->time_limit) longest = &strategy;
  }
  if (longest != nullptr) {
    return {fmt::format("no job on this cluster can get {} (at most {}); nothing was submitted", asked,
                        format_duration(longest->time_limit)),
            fmt::format("a command that saves its state can run in {} segments: add --checkpoint", longest->segments),
            ExitCode::no_strategy};
  }
  if (request.gpus == 0) {
    return {fmt::format("this cluster can't provide {}; nothing was submitted", asked),
            "the table has the reasons; request fewer CPUs, less memory or a shorter time", ExitCode::no_strategy};
  }
  const bool on_one_node = request.single_node || request.nodes == 1;
  const auto [type, most] = most_of_one_type(cluster, on_one_node);
  const bool too_many = most > 0 && request.gpus > most;
  return {fmt::format("this cluster can't provide {}; nothing was submitted", asked),
          too_many ? fmt::format("the maximum for one type{} is {}{}", on_one_node ? " on one node" : "", most,
                                 type.empty() ? "" : "× " + type)
                   : "the table has the reason for each type; request less, or try rv plan -g 1",
          ExitCode::no_strategy};
}

}  // namespace rv::cli
