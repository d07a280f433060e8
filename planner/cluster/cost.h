// Computes the cost of a strategy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Returns the cost of all the work in SU: GPUs × hours × the model's rate × `su_factor`. Segments share the work, so
/// they don't change the cost. If the model has no rate, the partition's TRESBillingWeights count: Slurm's billing
/// units × hours × `su_factor`, in the most expensive of the partitions. Nothing if neither is known; a rate of 0 is
/// known.
std::optional<double> cost_su(const Strategy& strategy, double su_factor, const Cluster& cluster);

/// How Slurm combines the weighted TRES of a job (assoc_mgr_tres_weighted() in src/common/assoc_mgr.c).
enum class BillingRule {
  sum,
  largest,            // PriorityFlags=MAX_TRES: the largest of CPUs, memory, nodes and each gres
  largest_plus_gres,  // MAX_TRES_GRES (25.05): the largest of CPUs, memory and nodes, plus the sum of the gres
};

/// The rule that PriorityFlags sets. MAX_TRES_GRES takes precedence over MAX_TRES; letter case does not count.
BillingRule billing_rule(const std::vector<std::string>& priority_flags);

/// Billing units of the strategy's job in a partition with these weights (slurm.conf(5), TRESBillingWeights): count ×
/// weight of each TRES, memory in GiB, combined by the rule. Empty without weights.
std::optional<double> billing_units(const Strategy& strategy, const Partition& partition, BillingRule rule);

/// TRES of the strategy's job in a partition as Slurm counts them (Strategy::charged, or what is requested): cpu, mem,
/// node, gres/gpu, its type, and billing, which is the number of CPUs if the partition has no weights
/// (calc_job_billable_tres() in slurmctld's job_mgr.c).
Tres tres_of(const Strategy& strategy, const Partition& partition, const ControllerSettings& controller);

}  // namespace rv::planner
