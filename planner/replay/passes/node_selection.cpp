#include "planner/replay/passes/node_selection.h"

#include <algorithm>

namespace rv::planner {

NodeSelection::NodeSelection(const ReplayModel& model, NodeStates& nodes, const NodePlans& plans,
                             const BlockedPartitions& blocked)
    : model_(model),
      nodes_(nodes),
      plans_(plans),
      blocked_(blocked),
      too_long_(model.shapes.size(), never + 1),
      chooser_(model) {}

bool NodeSelection::choose(const QueueEntry& entry, ReplayTime now, Plans plans, std::vector<int>& chosen,
                           const std::optional<NodeBound>& bound) {
  ReplayTime& too_long = too_long_[entry.shape];
  if (entry.limit >= too_long) return false;
  if (!collect(entry, now, plans)) {
    // The reserved times differ for jobs of a reservation.
    if (entry.reservation < 0) too_long = entry.limit;
    return false;
  }
  const Shape& shape = model_.shapes[entry.shape];
  chosen = shape.required;
  for (const int node : shape.required) {
    std::erase_if(free_, [&](const FreeNode& one) { return one.second == node; });
  }
  const std::size_t wanted = static_cast<std::size_t>(shape.nodes) - shape.required.size();
  if (bound) prefer_counted(*bound, wanted);
  for (const std::size_t one : chooser_.choose(model_.demands[shape.demand], free_, wanted)) {
    chosen.push_back(free_[one].second);
  }
  return true;
}

/// Fills free_. False where there are too few.
bool NodeSelection::collect(const QueueEntry& entry, ReplayTime now, Plans plans) {
  const int wanted = model_.shapes[entry.shape].nodes;
  FreeNodeIndex& nodes = nodes_.free_nodes();
  if (nodes.free_count(entry.shape) < wanted) return false;
  free_.clear();
  nodes.each_free(entry.shape, [&](int node) {
    if (!blocked_.node(node) && plans_.window(node, now, entry.reservation, plans) >= entry.limit) {
      free_.emplace_back(nodes_.timeline().free_cpus(node), node);
    }
    return true;
  });
  const auto free = [&](int node) {
    return std::any_of(free_.begin(), free_.end(), [&](const FreeNode& one) { return one.second == node; });
  };
  const std::vector<int>& required = model_.shapes[entry.shape].required;
  return free_.size() >= static_cast<std::size_t>(wanted) && std::all_of(required.begin(), required.end(), free);
}

/// Leaves only nodes that count already, or all of these and as many others as the job needs besides.
void NodeSelection::prefer_counted(const NodeBound& bound, std::size_t wanted) {
  const auto others =
      std::stable_partition(free_.begin(), free_.end(), [&](const FreeNode& one) { return bound.in_use(one.second); });
  const auto counted = static_cast<std::size_t>(others - free_.begin());
  free_.resize(std::max(counted, std::min(wanted, free_.size())));
  std::sort(free_.begin(), free_.end(), [](const FreeNode& a, const FreeNode& b) { return a.second < b.second; });
}

}  // namespace rv::planner
