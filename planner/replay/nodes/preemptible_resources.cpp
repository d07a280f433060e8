#include "planner/replay/nodes/preemptible_resources.h"

namespace rv::planner {

PreemptibleResources::PreemptibleResources(const ReplayModel& model)
    : model_(model), first_(model.preemptors.size(), std::vector<FreedResources>(model.nodes.size())), now_(first_) {}

void PreemptibleResources::enter(const std::vector<int>& nodes) {
  nodes_ = nodes;
  for (auto& nodes_of_preemptor : first_) {
    for (const int node : nodes) nodes_of_preemptor[node] = {};
  }
}

void PreemptibleResources::adopt(int node, const NodeResources& part, int group) {
  for (std::size_t i = 0; i < first_.size(); ++i) {
    if (!model_.preemptors[i].may_preempt[group]) continue;
    planner::add(first_[i][node].part, part);
    ++first_[i][node].jobs;
  }
}

void PreemptibleResources::reset() {
  for (std::size_t i = 0; i < first_.size(); ++i) {
    for (const int node : nodes_) now_[i][node] = first_[i][node];
  }
}

void PreemptibleResources::add(int node, const NodeResources& part, int group) {
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (!model_.preemptors[i].may_preempt[group]) continue;
    planner::add(now_[i][node].part, part);
    ++now_[i][node].jobs;
  }
}

void PreemptibleResources::remove(int node, const NodeResources& part, int group) {
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (!model_.preemptors[i].may_preempt[group]) continue;
    subtract(now_[i][node].part, part);
    --now_[i][node].jobs;
  }
}

}  // namespace rv::planner
