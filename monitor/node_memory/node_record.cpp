#include "monitor/node_memory/node_record.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace rv::monitor {
namespace {

using failures::Cause;
using EventsOfNode = std::map<std::string, std::vector<NodeEvent>>;

bool forgotten_later(const std::vector<NodeEvent>& of_node, const NodeEvent& event) {
  return std::any_of(of_node.begin(), of_node.end(), [&](const NodeEvent& other) {
    return other.kind == NodeEventKind::forgotten && other.time >= event.time;
  });
}

/// The commands that fail wherever they run, each with the cause.
std::set<std::pair<std::string, Cause>> broken_commands(const std::vector<NodeEvent>& events) {
  std::map<std::pair<std::string, Cause>, std::set<std::string>> nodes;
  for (const auto& event : events) {
    if (event.kind == NodeEventKind::fault) nodes[{event.command, event.cause}].insert(event.node);
    if (event.kind != NodeEventKind::success) continue;
    for (auto& [key, of_command] : nodes) {
      if (key.first == event.command) of_command.clear();
    }
  }
  std::set<std::pair<std::string, Cause>> broken;
  for (const auto& [key, of_command] : nodes) {
    if (of_command.size() >= nodes_of_a_broken_command) broken.insert(key);
  }
  return broken;
}

NodeRecord record_of(const std::string& node, const std::vector<NodeEvent>& of_node,
                     const std::set<std::pair<std::string, Cause>>& broken, TimePoint now) {
  NodeRecord record{.node = node, .faults = {}};
  std::set<std::string> runs_since;
  for (auto event = of_node.rbegin(); event != of_node.rend(); ++event) {
    if (event->kind == NodeEventKind::success) runs_since.insert(event->run);
    if (event->kind != NodeEventKind::fault || forgotten_later(of_node, *event)) continue;
    NodeFault fault{.event = *event};
    const auto others = runs_since.size() - runs_since.count(event->run);
    fault.weight = std::exp2(-static_cast<double>(others));
    if (event->time < now - fault_counts_for) fault.excuse = "more than 7 days ago";
    if (broken.contains({event->command, event->cause})) fault.excuse = "its command fails on every node";
    if (!fault.excuse.empty()) fault.weight = 0;
    record.weight += fault.weight;
    record.successes = static_cast<int>(runs_since.size());
    record.faults.push_back(std::move(fault));
  }
  return record;
}

}  // namespace

std::vector<NodeRecord> node_records(const std::vector<NodeEvent>& events, TimePoint now) {
  EventsOfNode by_node;
  for (const auto& event : events) by_node[event.node].push_back(event);
  const auto broken = broken_commands(events);
  std::vector<NodeRecord> records;
  for (const auto& [node, of_node] : by_node) {
    auto record = record_of(node, of_node, broken, now);
    if (!record.faults.empty()) records.push_back(std::move(record));
  }
  std::stable_sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  return records;
}

}  // namespace rv::monitor
