// Could it start this minute?
#pragma once

#include "planner/cluster/cluster_index.h"
#include "planner/cluster/strategy.h"
#include "planner/cluster/usage.h"
#include "planner/sharing/node_tenants.h"

namespace rv::planner {

/// "free now" (waits of zero) when one of the strategy's partitions is up and has enough nodes with the GPUs, CPUs and
/// memory idle, fit for its constraint, in a state that takes jobs at once, and in no reservation before the job's time
/// limit is over, where the jobs that run there let it join them; and no limit shared with running jobs is in the way.
/// Jobs that wait ahead of it are not looked at. When only reservations are in the way: "after maintenance" or "after a
/// reservation", how long is unknown. Otherwise, and when reservations or the constraint can't be judged, "unknown".
Wait wait_now(const ClusterIndex& index, const Usage& usage, const NodeTenants& tenants, const Strategy& strategy);

}  // namespace rv::planner
