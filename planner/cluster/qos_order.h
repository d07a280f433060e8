// Which of a partition's and a job's QOS bounds what.
#pragma once

#include <utility>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// The QOS whose limits count first, and the one whose limits count where that one has none: the partition's before the
/// job's, unless the job's has the flag OverPartQOS. Null where there is none.
std::pair<const Qos*, const Qos*> qos_in_order(const Qos* of_partition, const Qos* of_job);

/// `tres` without what `first` bounds: for these TRES the limit of another QOS, or of an association, does not count.
Tres not_in(const Tres& first, Tres tres);

/// A QOS's limits without those that `first` sets as well.
Qos without_limits_of(const Qos& first, Qos second);

}  // namespace rv::planner
