// The nodes of a component at one moment of a replay: what jobs hold there, what is free, what could be taken.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/nodes/free_node_index.h"
#include "planner/replay/nodes/node_timeline.h"
#include "planner/replay/nodes/preemptible_resources.h"

namespace rv::planner {

/// Keeps together what has to change together. Whose part of a node it is, is said by the job's slot (RunningJobs).
class NodeStates {
 public:
  explicit NodeStates(const ReplayModel& model);
  // The indexes look at the others.
  NodeStates(const NodeStates&) = delete;
  NodeStates& operator=(const NodeStates&) = delete;

  /// From now on it is about the nodes of this component. Its running jobs hold their parts as in the snapshot; the
  /// slot of each is its place in Component::running.
  void enter(const Component& component);
  /// Back to the snapshot.
  void reset();

  /// Gives the job in the slot what the demand asks of the node. `limit_end`: when Slurm expects it to be over; `gone`:
  /// those who have to leave first, or none.
  void hold(int node, int demand, ReplayTime limit_end, int slot, const FreedResources* gone) {
    timeline_.hold(node, timeline_.part_for(node, demand, gone), limit_end, slot, model_.demands[demand].tenancy);
  }
  /// The job has ended at `at`. A part that could be taken goes through remove_takeable() first.
  void release(int node, int slot, ReplayTime at);
  /// From now on the job's part can be taken by those who may take from its room group.
  void make_takeable(int node, int slot, int group);
  void remove_takeable(int node, int slot, int group) { takeable_.remove(node, timeline_.part_of(node, slot), group); }
  /// The job is expected to be over at another time.
  void set_limit_end(int node, int slot, ReplayTime end) { timeline_.set_limit_end(node, slot, end); }

  const NodeTimeline& timeline() const { return timeline_; }
  /// Nodes that are free, by shape.
  FreeNodeIndex& free_nodes() { return free_nodes_; }
  /// Those that are free but for what this taker could take; -1: those that are free.
  FreeNodeIndex& nodes_for(int taker) { return taker < 0 ? free_nodes_ : takeable_nodes_[taker]; }

 private:
  const ReplayModel& model_;
  NodeTimeline timeline_;
  PreemptibleResources takeable_;
  FreeNodeIndex free_nodes_;
  std::vector<FreeNodeIndex> takeable_nodes_;  // by taker
};

}  // namespace rv::planner
