// Resources that a node reports as used although no job of the queue holds them: rounding, booting nodes, hidden jobs.
#pragma once

#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// A part of a node that is unavailable although no known job holds it.
struct UnavailablePart {
  int node = 0;
  NodeResources part;
  ReplayTime span = 0;  // from the snapshot; never: until the end of the replay
};

/// Whether only jobs of another user may start on the node (Exclusive=USER), and the queue does not show that user's
/// jobs. For jobs in the queue, Tenancy has this effect.
bool belongs_to_another(const Cluster& cluster, const Node& node);

/// Compares each node's use with the parts of the running jobs in the model. Adds a small rest to the job that stays
/// longest, counts nodes of hidden jobs in `nodes_of_unseen`, and returns the parts that become free at a known time.
std::vector<UnavailablePart> attribute_unaccounted_use(const Cluster& cluster, ReplayModel& model);

}  // namespace rv::planner
