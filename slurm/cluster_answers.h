// Reads the answers of Slurm's commands into a planner::Cluster. Queries that failed are listed in Cluster::unanswered.
#pragma once

#include <cstddef>
#include <vector>

#include "base/os/process.h"
#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// Indices of the commands that a plan runs in parallel. `limits` is last, because it is left out if its answer is
/// cached.
struct ClusterQuery {
  enum : std::size_t { nodes, partitions, config, reservations, queue, federation, use, limits, count };
};

/// Reads all answers except that about limits. Throws Error(slurm) if nodes or partitions are missing.
void take_answers(planner::Cluster& cluster, const std::vector<os::Result>& answers);

/// Reads the highest switch above each node. Without an answer the nodes have no switches, and a plan assumes that they
/// are connected.
void take_topology(planner::Cluster& cluster, const os::Result& answer);

/// Reads the numbers of free licences.
void take_licenses(planner::Cluster& cluster, const os::Result& answer);

/// Reads accounting's answer about QOS and associations. A part without an answer stays unknown. Returns whether it
/// answered everything.
bool take_limits(planner::Cluster& cluster, const os::Result& answer);

/// Reads the controller's own copy of the limits, which is used until accounting has answered. Returns whether it is
/// complete.
bool take_controllers_limits(planner::Cluster& cluster, const os::Result& answer);

/// Reads the limits of accounts and the limits in minutes, with their use. They are unknown if the controller does not
/// report them.
void take_use(planner::Cluster& cluster, const os::Result& answer);

}  // namespace rv::slurm
