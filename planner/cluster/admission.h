// Decides whether a partition accepts a user's job, and with which account and QOS.
#pragma once

#include <string>

#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"
#include "planner/cluster/reservation_access.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

struct Admission {
  std::string refusal;                       // why the partition rejects the user; empty: it accepts
  DatabaseName account;                      // to request; empty: Slurm's default is accepted
  DatabaseName qos;                          // to request; empty: Slurm's default is accepted
  const Qos* job_qos = nullptr;              // QOS of the job; null if unknown
  const Association* association = nullptr;  // null if unknown
};

/// The user's accounts, default first.
std::vector<DatabaseName> own_accounts(const Cluster& cluster);

/// Checks, in this order:
/// 1. The partition: it must be up, and not restricted to root, to other users than root, to other groups or to
///    reservations.
/// 2. The account: that of the request, else the default account if the partition accepts it, else the user's first
///    account that it accepts.
/// 3. The QOS, from those that the association permits: that of the request, else the default QOS, else the first that
///    the partition allows.
/// 4. MaxSubmit of this QOS and association. A full queue is a refusal, not a reason to charge another account.
///
/// An answer that accounting did not give is never a reason for a refusal.
Admission admit(const Cluster& cluster, const Partition& partition, const Request& request);

/// Returns the account and QOS that a job of the strategy has in this partition. Reservations, limits and preemption
/// depend on them.
JobRights rights_of(const Cluster& cluster, const Strategy& strategy, const Partition& partition);

}  // namespace rv::planner
