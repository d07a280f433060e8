// Checks whether a strategy can start now.
#pragma once

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"
#include "planner/cluster/usage.h"
#include "planner/sharing/node_tenants.h"

namespace rv::planner {

/// Returns a wait with the basis:
/// - "free now" (wait 0): one of the strategy's partitions is up and has enough nodes on which the job can start. The
///   GPUs, CPUs and memory of these nodes are idle, they satisfy the constraint, their state accepts jobs, no
///   reservation begins before the time limit ends, and the jobs on them allow another job. No limit that is shared
///   with running jobs prevents the start. Jobs that wait ahead are ignored.
/// - "after maintenance" or "after a reservation", with an unknown wait: only reservations prevent the start.
/// - "unknown": any other case, also if reservations or the constraint can't be judged.
Wait wait_now(const ClusterIndex& index, const Usage& usage, const NodeTenants& tenants, const Strategy& strategy);

}  // namespace rv::planner
