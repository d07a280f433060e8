#include "planner/replay/passes/node_selection.h"

#include <algorithm>

namespace rv::planner {

NodeSelection::NodeSelection(const ReplayModel& model, NodeStates& nodes, const NodePlans& plans,
                             const BlockedPartitions& blocked)
    : model_(model), nodes_(nodes), plans_(plans), blocked_(blocked), too_long_(model.shapes.size(), never + 1) {}

bool NodeSelection::choose(const Row& row, ReplayTime now, Plans plans, std::vector<int>& chosen,
                           const std::optional<NodeBound>& bound) {
  ReplayTime& too_long = too_long_[row.shape];
  if (row.limit >= too_long) return false;
  if (!collect(row, now, plans)) {
    // Jobs of a reservation see other blocks than the rest.
    if (row.reservation < 0) too_long = row.limit;
    return false;
  }
  const auto wanted = static_cast<std::size_t>(model_.shapes[row.shape].nodes);
  if (bound) prefer_counted(*bound, wanted);
  const std::size_t first = begin_of_choice(free_, wanted, model_.positions);
  chosen.clear();
  for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(free_[first + i].second);
  return true;
}

/// Fills free_. False where there are too few.
bool NodeSelection::collect(const Row& row, ReplayTime now, Plans plans) {
  const int wanted = model_.shapes[row.shape].nodes;
  FreeNodeIndex& nodes = nodes_.free_nodes();
  if (nodes.free_count(row.shape) < wanted) return false;
  free_.clear();
  nodes.each_free(row.shape, [&](int node) {
    if (!blocked_.node(node) && plans_.window(node, now, row.reservation, plans) >= row.limit) {
      free_.emplace_back(nodes_.timeline().free_cpus(node), node);
    }
    return true;
  });
  return free_.size() >= static_cast<std::size_t>(wanted);
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
