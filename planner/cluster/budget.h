// Limits on resource × time, in minutes: how much an account or a QOS may use, how much running jobs may have left, and
// how much one job may request.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// The part of one budget that is left for a job.
struct BudgetLeft {
  const Budget* budget = nullptr;
  std::int64_t left = 0;   // minutes × amount that the job may still use; never below 0
  std::int64_t asked = 0;  // minutes × amount of the whole job, up to its time limit
  /// How long the job could run with `left`.
  std::chrono::seconds time{0};
};

/// Returns the budgets that a job of this strategy in this partition uses, in the order in which Slurm applies them:
/// those of the partition's QOS, the job's QOS (first if it has OverPartQOS), the association and the accounts above
/// it. A limit of a QOS replaces the same limit later in this order. Empty if limits are not enforced.
std::vector<BudgetLeft> budgets_of(const Cluster& cluster, const Partition& partition, const Strategy& strategy);

/// Computes from the queue how much running jobs use of MaxTRESRunMinsPerUser and MaxTRESRunMinsPerAccount of a QOS,
/// because Slurm does not report it. Jobs that the queue does not show are missing.
void measure_run_minutes(Cluster& cluster);

/// Returns why the job can't start even if all other jobs end: a budget is used up, or is too small for the job. Empty
/// if it can start. As in Slurm, a job may start while anything is left, unless AccountingStorageEnforce has "safe".
std::string budget_refusal(const Cluster& cluster, const Partition& partition, const Strategy& strategy);

/// Returns why the job must wait for running jobs: a limit on their remaining time (GrpTRESRunMins,
/// MaxTRESRunMinsPerUser). Empty if it need not.
std::string waits_for_run_minutes(const Cluster& cluster, const Partition& partition, const Strategy& strategy);

/// "account lab has 83 SU left of 167 (GrpTRESMins billing=10000): 2h 30m of this request". SU are billing hours; other
/// resources are "GPU hours", "CPU hours".
std::string in_words(const BudgetLeft& left);

/// The text without a request: "account lab has 83 SU left of 167 (GrpTRESMins billing=10000)".
std::string left_in_words(const Budget& budget);

/// Returns in_words() of every budget that the strategy uses in the first of its partitions.
std::vector<std::string> budgets_in_words(const Cluster& cluster, const Strategy& strategy);

}  // namespace rv::planner
