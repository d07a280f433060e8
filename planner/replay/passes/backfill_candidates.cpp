#include "planner/replay/passes/backfill_candidates.h"

namespace rv::planner {

BackfillCandidates::BackfillCandidates(const ReplayModel& model, NodeStates& nodes, const NodePlans& plans)
    : model_(model),
      nodes_(nodes),
      plans_(plans),
      known_free_(model.shapes.size() * (model.preemptors.size() + 1), -1) {}

void BackfillCandidates::begin_pass() {
  known_free_.begin_pass();
  candidates_.clear();
  open_.assign(nodes_.free_nodes().words(), 0);
  changed_ = true;
}

bool BackfillCandidates::has_enough_nodes(int shape, int preemptor) {
  auto at = static_cast<std::size_t>(shape);
  if (preemptor >= 0) at += static_cast<std::size_t>(preemptor + 1) * model_.shapes.size();
  int& known_free = known_free_[at];
  const int wanted = model_.shapes[shape].nodes;
  if (known_free < 0) {
    FreeNodeIndex& nodes = nodes_.nodes_for(preemptor);
    known_free = nodes.free_count(shape);
    if (known_free < wanted) return false;
    const NodeSet& free = nodes.free_nodes(shape);
    for (std::size_t i = 0; i < free.size(); ++i) open_[i] |= free[i];
  }
  return known_free >= wanted;
}

void BackfillCandidates::drop(ReplayTime now) {
  if (!changed_) return;
  changed_ = false;
  const auto possible = [&](const BackfillCandidate& one) {
    FreeNodeIndex& nodes = nodes_.nodes_for(one.preemptor);
    int left = model_.shapes[one.shape].nodes;
    if (nodes.free_count(one.shape) < left) return false;
    nodes.each_free(one.shape, [&](int node) {
      if (plans_.window(node, now, one.reservation, one.plans) >= one.limit) --left;
      return left > 0;
    });
    return left <= 0;
  };
  while (!candidates_.empty() && !possible(candidates_.back())) candidates_.pop_back();
}

}  // namespace rv::planner
