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
  DatabaseName qos;          // the QOS that sets it; empty: an association does
  DatabaseName account;      // the account whose jobs it bounds, without a QOS
  DatabaseName owner;        // the account that has it: `account`, or one above
  bool of_user = false;      // the user's own association has it
  std::string partition;     // of the association; empty: any
  DatabaseName tres;         // empty: walltime itself
  std::int64_t most = 0;     // minutes, "mem" in MiB minutes
  std::int64_t used = 0;     // use so far; for the kind `running`: remaining time of running jobs
  std::int64_t running = 0;  // for the kind `used`: remaining time of running jobs, which will be used
  bool per_user = false;     // only the user's jobs in the QOS

  /// used: all use counts. running: the remaining time of running jobs counts. per_job: each job by itself.
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
