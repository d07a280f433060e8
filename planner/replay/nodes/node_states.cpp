#include "planner/replay/nodes/node_states.h"

namespace rv::planner {

NodeStates::NodeStates(const ReplayModel& model)
    : model_(model), timeline_(model), preemptible_(model), free_nodes_(model, timeline_) {
  preemptible_nodes_.reserve(model.preemptors.size());
  for (std::size_t i = 0; i < model.preemptors.size(); ++i) {
    preemptible_nodes_.emplace_back(model, timeline_, preemptible_, static_cast<int>(i));
  }
}

void NodeStates::enter(const Component& component) {
  timeline_.enter(component.nodes);
  preemptible_.enter(component.nodes);
  for (std::size_t i = 0; i < component.running.size(); ++i) {
    const RunningJob& running = model_.running[component.running[i]];
    const ReplayJob& job = model_.jobs[running.job];
    const ReplayTime limit_end = job.limit >= never ? never : job.limit - job.elapsed;
    for (const JobPart& holding : running.parts) {
      timeline_.adopt(holding.node, holding.part, limit_end, static_cast<int>(i), running.tenancy);
    }
    if (running.group < 0 || !model_.preemption_groups[running.group].has_preemptor) continue;
    if (job.elapsed < model_.preemption_groups[running.group].exempt) continue;
    for (const JobPart& holding : running.parts) preemptible_.adopt(holding.node, holding.part, running.group);
  }
  free_nodes_.enter(component.nodes);
  for (FreeNodeIndex& nodes : preemptible_nodes_) nodes.enter(component.nodes);
}

void NodeStates::reset() {
  timeline_.reset();
  free_nodes_.reset();
  preemptible_.reset();
  for (FreeNodeIndex& nodes : preemptible_nodes_) nodes.reset();
}

void NodeStates::release(int node, int slot, ReplayTime at) {
  timeline_.release(node, slot);
  timeline_.released_at(node, at);
}

void NodeStates::make_preemptible(int node, int slot, int group) {
  preemptible_.add(node, timeline_.part_of(node, slot), group);
  timeline_.touch(node);
}

}  // namespace rv::planner
