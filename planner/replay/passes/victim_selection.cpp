#include "planner/replay/passes/victim_selection.h"

#include <algorithm>
#include <tuple>

namespace rv::planner {

VictimSelection::VictimSelection(const ReplayModel& model, NodeStates& nodes, const RunningJobs& running,
                                 const NodePlans& plans, const BlockedPartitions& blocked)
    : model_(model),
      nodes_(nodes),
      running_(running),
      plans_(plans),
      blocked_(blocked),
      too_long_(model.preemptors.size() * model.shapes.size(), never + 1) {}

bool VictimSelection::VictimOrder::operator<(const VictimOrder& other) const {
  // First nodes without a victim, then jobs that are already ending.
  return std::tuple(slot >= 0, !ends_anyway, rank, nodes, number, slot) <
         std::tuple(other.slot >= 0, !other.ends_anyway, other.rank, other.nodes, other.number, other.slot);
}

bool VictimSelection::choose(const QueueEntry& entry, ReplayTime now, Plans plans, Selection& chosen) {
  const Shape& shape = model_.shapes[entry.shape];
  if (!shape.required.empty()) return false;
  ReplayTime& too_long = too_long_[static_cast<std::size_t>(entry.preemptor) * model_.shapes.size() +
                                   static_cast<std::size_t>(entry.shape)];
  if (entry.limit >= too_long) return false;
  FreeNodeIndex& nodes = nodes_.nodes_for(entry.preemptor);
  if (nodes.free_count(entry.shape) < shape.nodes) return false;
  last_victims_.clear();
  nodes.each_free(entry.shape, [&](int node) {
    if (!blocked_.node(node) && plans_.window(node, now, entry.reservation, plans) >= entry.limit) {
      last_victims_.emplace_back(VictimOrder(), node);
    }
    return true;
  });
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  if (last_victims_.size() < wanted) {
    if (entry.reservation < 0) too_long = entry.limit;
    return false;
  }
  chosen.clear();
  for (auto& [last, node] : last_victims_) last = last_victim(node, shape.demand, entry.preemptor, chosen.victims);
  std::partial_sort(last_victims_.begin(), last_victims_.begin() + shape.nodes, last_victims_.end());
  for (std::size_t i = 0; i < wanted; ++i) take_node(last_victims_[i].second, shape.demand, entry.preemptor, chosen);
  return true;
}

/// Who has to go last so that the demand fits on the node, where these victims go already: Slurm takes the jobs away
/// one by one until it does.
VictimSelection::VictimOrder VictimSelection::last_victim(int node, int demand, int preemptor,
                                                          const std::vector<int>& victims) {
  const NodeTimeline& timeline = nodes_.timeline();
  if (timeline.fits_now(node, demand)) return {};
  on_node_.clear();
  timeline.each_tenant(node, [&](int slot, const NodeResources& /*part*/) {
    const RunningJobs::StartedJob& run = running_.at(slot);
    if (!run.preemptible || !model_.preemptors[preemptor].may_preempt[run.group]) return;
    const bool goes = run.ending || std::find(victims.begin(), victims.end(), slot) != victims.end();
    on_node_.push_back(
        {goes, model_.preemption_groups[run.group].rank, run.nodes.size(), model_.jobs[run.job].number, slot});
  });
  std::sort(on_node_.begin(), on_node_.end());
  FreedResources gone;
  for (const VictimOrder& one : on_node_) {
    add(gone.part, timeline.part_of(node, one.slot));
    ++gone.jobs;
    if (timeline.fits_without(node, demand, gone)) return one;
  }
  return on_node_.empty() ? VictimOrder() : on_node_.back();
}

/// Adds the node, and those who have to go from it.
void VictimSelection::take_node(int node, int demand, int preemptor, Selection& chosen) {
  std::vector<int>& victims = chosen.victims;
  const VictimOrder last = last_victim(node, demand, preemptor, victims);
  FreedResources gone;
  for (std::size_t i = 0; last.slot >= 0 && i < on_node_.size() && !(last < on_node_[i]); ++i) {
    const int slot = on_node_[i].slot;
    add(gone.part, nodes_.timeline().part_of(node, slot));
    ++gone.jobs;
    if (std::find(victims.begin(), victims.end(), slot) == victims.end()) victims.push_back(slot);
  }
  chosen.nodes.push_back(node);
  chosen.freed.push_back(gone);
}

}  // namespace rv::planner
