// Names in a request that this cluster does not have.
#pragma once

#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"

namespace rv::planner {

/// Throws Error(usage) for an account that the user has not, and a partition, QOS, node, feature or licences that the
/// cluster does not have: Slurm would refuse any job that names them. What Slurm does not show here (nodes of a cloud,
/// licences of another server) may be there.
void check_names(const Cluster& cluster, const Request& request);

}  // namespace rv::planner
