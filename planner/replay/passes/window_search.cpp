#include "planner/replay/passes/window_search.h"

#include <algorithm>
#include <functional>

namespace rv::planner {

LongestWindow WindowSearch::longest(int shape, int preemptor, ReplayTime now, Plans plans,
                                    const std::optional<NodeBound>& bound) {
  const int wanted = model_.shapes[shape].nodes;
  FreeNodeIndex& nodes = nodes_.nodes_for(preemptor);
  if (nodes.free_count(shape) < wanted) return {};
  windows_.clear();
  nodes.each_free(shape, [&](int node) {
    if (blocked_.node(node)) return true;
    const ReplayTime window = plans_.window(node, now, -1, plans);
    if (window > 0) windows_.emplace_back(window, node);
    return true;
  });
  if (bound) keep_within(*bound);
  if (windows_.size() < static_cast<std::size_t>(wanted)) return {};
  const auto others = take_required(model_.shapes[shape].required);
  if (!others) return {};
  const auto last = windows_.begin() + wanted - 1;
  std::nth_element(*others, last, windows_.end(), std::greater<>());
  LongestWindow found{last->first, 0};
  for (auto one = windows_.begin(); one <= last; ++one) {
    found.length = std::min(found.length, one->first);
    found.released = std::max(found.released, nodes_.timeline().last_release(one->second));
  }
  return found;
}

/// Moves the windows of these nodes to the front, and returns the end of them; nothing where one is missing.
std::optional<WindowSearch::Windows::iterator> WindowSearch::take_required(const std::vector<int>& required) {
  auto end = windows_.begin();
  for (const int node : required) {
    const auto found = std::find_if(end, windows_.end(), [&](const auto& one) { return one.second == node; });
    if (found == windows_.end()) return std::nullopt;
    std::iter_swap(end++, found);
  }
  return end;
}

/// Leaves the nodes that count already, and of the others the best that may be added.
void WindowSearch::keep_within(const NodeBound& bound) {
  const auto others =
      std::partition(windows_.begin(), windows_.end(), [&](const auto& one) { return bound.in_use(one.second); });
  std::sort(others, windows_.end(), std::greater<>());
  const auto added =
      std::min<std::ptrdiff_t>(windows_.end() - others, static_cast<std::ptrdiff_t>(bound.addable_nodes()));
  windows_.erase(others + added, windows_.end());
}

}  // namespace rv::planner
