// The order in which the QOS of a partition and the QOS of a job set limits.
#pragma once

#include <utility>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// Returns both QOS in the order in which their limits count: the partition's before the job's, unless the job's has
/// the flag OverPartQOS. A limit of the second counts if the first does not set it. Null: there is no such QOS.
std::pair<const Qos*, const Qos*> qos_in_order(const Qos* of_partition, const Qos* of_job);

/// Returns `tres` without the TRES that `first` limits: for these, later limits don't count.
Tres not_in(const Tres& first, Tres tres);

/// Returns `second` without the limits that `first` sets too.
Qos without_limits_of(const Qos& first, Qos second);

}  // namespace rv::planner
