// Whether jobs of two partitions are preempted alike.
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// True when a job is preempted, and preempts, in one partition as in the other: same mode, and the same PriorityTier
/// unless preemption is off altogether.
bool same_preemption(const ControllerSettings& controller, const Partition& one, const Partition& other);

}  // namespace rv::planner
