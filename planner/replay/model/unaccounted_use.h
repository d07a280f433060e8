// What a node reports as used although no job of the queue holds it: rounding, nodes that boot, jobs that squeue hides.
#pragma once

#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// A part of a node that no job can have for a while, though no known job holds it.
struct UnavailablePart {
  int node = 0;
  NodeResources part;
  ReplayTime span = 0;  // from the snapshot on; never: as long as the replay lasts
};

/// Whether only another user's jobs may start on the node (Exclusive=USER) and the queue does not show these jobs. The
/// jobs that it shows keep others away themselves (Tenancy).
bool belongs_to_another(const Cluster& cluster, const Node& node);

/// Compares each node's use with what the running jobs of the model hold there. Adds a small rest to the job that stays
/// longest, counts nodes of hidden jobs in `nodes_of_unseen`, and returns the parts that come back by a known time.
std::vector<UnavailablePart> attribute_unaccounted_use(const Cluster& cluster, ReplayModel& model);

}  // namespace rv::planner
