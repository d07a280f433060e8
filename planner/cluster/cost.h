// What a strategy costs.
#pragma once

#include <optional>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// SU of all the work; segments change nothing, they share it. GPUs × hours × the model's rate × `su_factor`. Where the
/// model has no rate, the partition's TRESBillingWeights: Slurm's billing units × hours × `su_factor`, of several
/// partitions the dearest. Empty where neither is known: unknown is not free. A rate of 0 is a known price.
std::optional<double> cost_su(const Strategy& strategy, double su_factor, const Cluster& cluster);

/// Billing units of the strategy's job in a partition with these weights (slurm.conf(5), TRESBillingWeights): the sum
/// over TRES of count × weight, memory in GiB; under PriorityFlags=MAX_TRES the largest of them. Empty without weights.
std::optional<double> billing_units(const Strategy& strategy, const Partition& partition, bool max_tres);

}  // namespace rv::planner
