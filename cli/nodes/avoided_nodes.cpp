#include "cli/nodes/avoided_nodes.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "base/walltime.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

std::vector<std::string> names_of(const AvoidedNodes& avoided) {
  std::vector<std::string> names;
  for (const auto& record : avoided.nodes) names.push_back(record.node);
  return names;
}

std::string faults_in_words(const std::vector<monitor::NodeRecord>& records) {
  const auto count_of = [](const monitor::NodeRecord& record) {
    return std::count_if(record.faults.begin(), record.faults.end(),
                         [](const auto& fault) { return fault.excuse.empty(); });
  };
  const auto first = count_of(records.front());
  const bool alike =
      std::all_of(records.begin(), records.end(), [&](const auto& record) { return count_of(record) == first; });
  if (!alike) return "2 faults or more in 7 days";
  return fmt::format("{}{} in 7 days", counted(first, "fault"), records.size() > 1 ? " each" : "");
}

/// Less than the replay can tell.
constexpr std::chrono::minutes not_later{1};

}  // namespace

monitor::NodeEventFolder node_event_folder(const Settings& settings) {
  return settings.node_memory.empty() ? monitor::NodeEventFolder::own(settings.home)
                                      : monitor::NodeEventFolder(settings.node_memory, true);
}

std::vector<monitor::NodeRecord> known_node_records(const Settings& settings, const std::string& cluster) {
  try {
    const auto now = current_time();
    return monitor::node_records(node_event_folder(settings).read(cluster, now), now);
  } catch (const Error& error) {
    spdlog::warn("the record of nodes is not used: {}", error.what());
    return {};
  }
}

AvoidedNodes nodes_to_avoid(const std::vector<monitor::NodeRecord>& records, const planner::Cluster& cluster,
                            const planner::Request& request) {
  AvoidedNodes avoided;
  for (const auto& record : records) {
    const bool named = contains(request.nodelist, record.node) || contains(request.exclude, record.node);
    const bool here = std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                                  [&](const planner::Node& node) { return node.name == record.node; });
    if (record.avoided() && here && !named) avoided.nodes.push_back(record);
  }
  return avoided;
}

std::optional<std::chrono::seconds> later_start(const planner::Plan& plan, const planner::Plan& than) {
  if (plan.strategies.empty() || than.strategies.empty()) return std::nullopt;
  const auto& wait = plan.strategies.front().wait.p50;
  const auto& other = than.strategies.front().wait.p50;
  if (!wait || !other) return std::nullopt;
  return std::max(*wait - *other, std::chrono::seconds(0));
}

std::string in_words(const AvoidedNodes& avoided) {
  if (avoided.nodes.empty()) return "";
  const bool several = avoided.nodes.size() > 1;
  const auto faults = faults_in_words(avoided.nodes);
  if (avoided.needed) {
    return fmt::format("{} ({}): nothing else fits, so {} not avoided; see rv nodes", listed(names_of(avoided)), faults,
                       several ? "they are" : "it is");
  }
  std::string text = fmt::format("{} {} avoided ({})", listed(names_of(avoided)), several ? "are" : "is", faults);
  if (avoided.later && *avoided.later >= not_later) {
    text +=
        fmt::format(": the start is about {} later than with {}",
                    format_duration(std::chrono::round<std::chrono::minutes>(*avoided.later)), several ? "them" : "it");
  } else if (avoided.later) {
    text += fmt::format(": the start is not later than with {}", several ? "them" : "it");
  }
  return text + "; see rv nodes";
}

nlohmann::ordered_json to_json(const AvoidedNodes& avoided) {
  return {{"nodes", names_of(avoided)},
          {"later_s", avoided.later ? nlohmann::ordered_json(avoided.later->count()) : nlohmann::ordered_json()},
          {"needed", avoided.needed}};
}

}  // namespace rv::cli
