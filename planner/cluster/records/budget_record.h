// A limit of resource × minutes, as accounting and the controller report it.
#pragma once

#include <cstdint>
#include <string>

#include "planner/cluster/records/database_name.h"

namespace rv::planner {

enum class BudgetKind { used, running, per_job };

/// A limit of resource × minutes, with what is used of it. Cluster::budgets holds those of the QOS and of the asking
/// user's associations and the accounts above them.
struct Budget {
  std::string limit;         // Slurm's name: "GrpTRESMins", "GrpWall", "MaxTRESMinsPerJob", "GrpTRESRunMins", …
  DatabaseName qos;          // that sets it; empty: an association does
  DatabaseName account;      // whose jobs it bounds, without a QOS
  DatabaseName owner;        // the account that has it: this one, or one above
  bool of_user = false;      // the user's own association has it
  std::string partition;     // of the association; empty: any
  DatabaseName tres;         // empty: walltime alone
  std::int64_t most = 0;     // minutes, "mem" in MiB minutes
  std::int64_t used = 0;     // so far; of a limit on running jobs: what they have left to run
  std::int64_t running = 0;  // of what counts as used later: what running jobs have left to run
  bool per_user = false;     // of the user's jobs in the QOS alone

  /// used: all that was used counts. running: what running jobs have left to run. per_job: one job.
  BudgetKind kind = BudgetKind::used;

  static void describe(auto& self, auto& field) {
    field("limit", self.limit);
    field("qos", self.qos);
    field("account", self.account);
    field("owner", self.owner);
    field("of_user", self.of_user);
    field("partition", self.partition);
    field("tres", self.tres);
    field("most_minutes", self.most);
    field("used_minutes", self.used);
    field("running_minutes", self.running);
    field("per_user", self.per_user);
    field("kind", self.kind);
  }
};

}  // namespace rv::planner
