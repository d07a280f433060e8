#include "planner/replay/nodes/node_plans.h"

namespace rv::planner {

NodePlans::NodePlans(const ReplayModel& model) : model_(model), nodes_(model.nodes.size()) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].has_reserved_times = !model.reserved_times[i].empty();
}

void NodePlans::add(int node, Planned span) {
  OfNode& one = nodes_[node];
  if (one.spans < 0) with_plans_.push_back(node);
  one.first = std::min(one.first, span.begin);
  if (!span.hypothetical) one.first_of_queue = std::min(one.first_of_queue, span.begin);
  int before = -1;
  int after = one.spans;
  while (after >= 0 && spans_[after].begin <= span.begin) {
    before = after;
    after = spans_[after].next;
  }
  const auto number = static_cast<int>(spans_.size());
  spans_.push_back({span.begin, span.end, after});
  (before < 0 ? one.spans : spans_[before].next) = number;
}

void NodePlans::forget() {
  for (const int node : with_plans_) {
    OfNode& one = nodes_[node];
    one.first = one.first_of_queue = OfNode().first;
    one.spans = -1;
  }
  with_plans_.clear();
  spans_.clear();
}

ReplayTime NodePlans::clear_among(const OfNode& one, int node, ReplayTime from, ReplayTime length,
                                  int reservation) const {
  bool moved = true;
  while (moved && from < never) {
    moved = false;
    // Spans are sorted by begin, so those before `from` no longer matter.
    for (int i = one.spans; i >= 0 && spans_[i].begin < from + length; i = spans_[i].next) {
      from = std::max(from, spans_[i].end);
    }
    if (!one.has_reserved_times) break;
    for (const ReservedTime& block : model_.reserved_times[node]) {
      if (block.reservation == reservation || block.begin >= from + length || block.end <= from) continue;
      from = block.end;
      moved = true;
    }
  }
  return from;
}

ReplayTime NodePlans::reserved_after(int node, ReplayTime now, int reservation) const {
  ReplayTime first = never + now;
  for (const ReservedTime& block : model_.reserved_times[node]) {
    if (block.reservation != reservation && block.end > now) first = std::min(first, block.begin);
  }
  return first;
}

}  // namespace rv::planner
