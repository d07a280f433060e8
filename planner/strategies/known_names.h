// Checks that the cluster has the names in a request.
#pragma once

#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"

namespace rv::planner {

/// Throws Error(usage) for an account that the user does not have, and for a partition, QOS, node, feature or licence
/// that the cluster does not have: Slurm would refuse every job with that name. Names that Slurm may hide (cloud nodes,
/// licences of another server) are accepted.
void check_names(const Cluster& cluster, const Request& request);

}  // namespace rv::planner
