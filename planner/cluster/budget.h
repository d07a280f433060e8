// Limits in minutes: of resource × time that an account or a QOS may use, that running jobs may have left, that one job
// may ask.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

/// What one budget leaves to a job.
struct BudgetLeft {
  const Budget* budget = nullptr;
  std::int64_t left = 0;   // minutes × amount that the job may still use; never below 0
  std::int64_t asked = 0;  // of the whole job at its time limit
  /// For how long the job could run with what is left.
  std::chrono::seconds time{0};
};

/// The budgets that a job of this strategy in this partition draws on, in the order in which Slurm applies them: of the
/// partition's QOS, the job's QOS (first where it has OverPartQOS), the association and the accounts above it. A limit
/// of a QOS replaces the same limit of those behind it. None where limits are not enforced.
std::vector<BudgetLeft> budgets_of(const Cluster& cluster, const Partition& partition, const Strategy& strategy);

/// Sets what running jobs use of limits that Slurm does not show the use of: MaxTRESRunMinsPerUser and -PerAccount of
/// QOS. From the queue, as far as it is known.
void measure_run_minutes(Cluster& cluster);

/// Why the job can't start whatever else ends: a budget is used up, or is too small for the job. Empty where it can.
/// Without "safe" in AccountingStorageEnforce a job starts while anything is left, as in Slurm.
std::string budget_refusal(const Cluster& cluster, const Partition& partition, const Strategy& strategy);

/// Why the job waits for running jobs, whose remaining time is limited (GrpTRESRunMins, MaxTRESRunMinsPerUser). Empty
/// where it does not.
std::string waits_for_run_minutes(const Cluster& cluster, const Partition& partition, const Strategy& strategy);

/// "account lab has 83 SU left of 167 (GrpTRESMins billing=10000): 2h 30m of this request". SU are billing hours; other
/// resources are "GPU hours", "CPU hours".
std::string in_words(const BudgetLeft& left);

/// The same without a request: "account lab has 83 SU left of 167 (GrpTRESMins billing=10000)".
std::string left_in_words(const Budget& budget);

/// in_words() of every budget that use counts against, for the strategy in the first of its partitions.
std::vector<std::string> budgets_in_words(const Cluster& cluster, const Strategy& strategy);

}  // namespace rv::planner
