#include "planner/replay/nodes/node_states.h"

namespace rv::planner {

NodeStates::NodeStates(const ReplayModel& model)
    : model_(model), timeline_(model), takeable_(model), free_nodes_(model, timeline_) {
  takeable_nodes_.reserve(model.takers.size());
  for (std::size_t i = 0; i < model.takers.size(); ++i) {
    takeable_nodes_.emplace_back(model, timeline_, takeable_, static_cast<int>(i));
  }
}

void NodeStates::enter(const Component& component) {
  timeline_.enter(component.nodes);
  takeable_.enter(component.nodes);
  for (std::size_t i = 0; i < component.running.size(); ++i) {
    const RunningJob& running = model_.running[component.running[i]];
    const ReplayJob& job = model_.jobs[running.job];
    const ReplayTime limit_end = job.limit >= never ? never : job.limit - job.ran;
    for (const Holding& holding : running.parts) {
      timeline_.adopt(holding.node, holding.part, limit_end, static_cast<int>(i), running.tenancy);
    }
    if (running.group < 0 || !model_.room_groups[running.group].taken) continue;
    if (job.ran < model_.room_groups[running.group].exempt) continue;
    for (const Holding& holding : running.parts) takeable_.adopt(holding.node, holding.part, running.group);
  }
  free_nodes_.enter(component.nodes);
  for (FreeNodeIndex& nodes : takeable_nodes_) nodes.enter(component.nodes);
}

void NodeStates::reset() {
  timeline_.reset();
  free_nodes_.reset();
  takeable_.reset();
  for (FreeNodeIndex& nodes : takeable_nodes_) nodes.reset();
}

void NodeStates::release(int node, int slot, ReplayTime at) {
  timeline_.release(node, slot);
  timeline_.released_at(node, at);
}

void NodeStates::make_takeable(int node, int slot, int group) {
  takeable_.add(node, timeline_.part_of(node, slot), group);
  timeline_.touch(node);
}

}  // namespace rv::planner
