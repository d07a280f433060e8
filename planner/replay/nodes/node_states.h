// The nodes of a component at one moment of a replay: resources that jobs hold, that are free, that can be preempted.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/free_node_index.h"
#include "planner/replay/nodes/node_timeline.h"
#include "planner/replay/nodes/preemptible_resources.h"

namespace rv::planner {

/// Updates the timeline, the preemptible resources and the indexes together. A job is named by its slot in RunningJobs.
class NodeStates {
 public:
  explicit NodeStates(const ReplayModel& model);
  // The indexes refer to the other members.
  NodeStates(const NodeStates&) = delete;
  NodeStates& operator=(const NodeStates&) = delete;

  /// Selects the nodes of this component. Its running jobs hold their parts as in the snapshot; the slot of each is its
  /// index in Component::running.
  void enter(const Component& component);
  /// Back to the snapshot.
  void reset();

  /// Gives the job in the slot the part of the node that it demands. `limit_end`: when Slurm expects the job to end;
  /// `gone`: the resources of jobs that must end first, or null.
  void hold(int node, int demand, ReplayTime limit_end, int slot, const FreedResources* gone) {
    timeline_.hold(node, timeline_.part_for(node, demand, gone), limit_end, slot, model_.demands[demand].tenancy);
  }
  /// The job ended at `at`. If it was preemptible, call remove_preemptible() first.
  void release(int node, int slot, ReplayTime at);
  /// The job can be preempted from now on, by jobs that may preempt its group.
  void make_preemptible(int node, int slot, int group);
  void remove_preemptible(int node, int slot, int group) {
    preemptible_.remove(node, timeline_.part_of(node, slot), group);
  }
  /// Changes the time at which the job is expected to end.
  void set_limit_end(int node, int slot, ReplayTime end) { timeline_.set_limit_end(node, slot, end); }

  const NodeTimeline& timeline() const { return timeline_; }
  /// The index of free nodes.
  FreeNodeIndex& free_nodes() { return free_nodes_; }
  /// The index for this preemptor, which counts what it could preempt as free; -1: without preemption.
  FreeNodeIndex& nodes_for(int preemptor) { return preemptor < 0 ? free_nodes_ : preemptible_nodes_[preemptor]; }

 private:
  const ReplayModel& model_;
  NodeTimeline timeline_;
  PreemptibleResources preemptible_;
  FreeNodeIndex free_nodes_;
  std::vector<FreeNodeIndex> preemptible_nodes_;  // by preemptor
};

}  // namespace rv::planner
