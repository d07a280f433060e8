// The answers of Slurm's commands, put into a planner::Cluster. What got no answer is listed in Cluster::unanswered.
#pragma once

#include <cstddef>
#include <vector>

#include "base/os/process.h"
#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// Indices of the commands that a plan runs in parallel. `limits` is last: with a cached answer it is left out.
struct ClusterQuery {
  enum : std::size_t { nodes, partitions, config, reservations, queue, federation, use, limits, count };
};

/// Reads all answers but that about limits. Throws Error(slurm) if nodes or partitions are missing.
void take_answers(planner::Cluster& cluster, const std::vector<os::Result>& answers);

/// The highest switch above each node. Without an answer the nodes stay without switches, and a plan takes them for
/// connected.
void take_topology(planner::Cluster& cluster, const os::Result& answer);

void take_licenses(planner::Cluster& cluster, const os::Result& answer);

/// Accounting's answer about QOS and associations. What it did not answer stays unknown; true when nothing does.
bool take_limits(planner::Cluster& cluster, const os::Result& answer);

/// The controller's own copy of the limits, for the time before accounting has answered. False when it is not whole.
bool take_controllers_limits(planner::Cluster& cluster, const os::Result& answer);

/// The limits of accounts and those in minutes, with what is used of them. Where the controller does not say, they are
/// unknown.
void take_use(planner::Cluster& cluster, const os::Result& answer);

}  // namespace rv::slurm
