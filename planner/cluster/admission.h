// Whether a partition accepts a user's job, and under which account and QOS.
#pragma once

#include <string>

#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"
#include "planner/cluster/reservation_access.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

struct Admission {
  std::string refusal;                       // why the partition rejects the user; empty: it accepts
  DatabaseName account;                      // to ask for; empty: Slurm's default is right
  DatabaseName qos;                          // to ask for; empty: Slurm's default is right
  const Qos* job_qos = nullptr;              // what the job runs under, null when unknown
  const Association* association = nullptr;  // null when unknown
};

/// The user's accounts, default first.
std::vector<DatabaseName> own_accounts(const Cluster& cluster);

/// Refused: a partition that is not up, for root only, not for root, for other groups, or for reservations only. Then
/// the account: the request's, else the default account if it is let in, else the user's first that is. The QOS in the
/// same way, out of those that the association permits: the request's, else the default one, else the first that the
/// partition allows. What accounting did not answer never refuses. At last, MaxSubmit of the QOS and association so
/// found: a full queue is a refusal, not a reason to charge another account.
Admission admit(const Cluster& cluster, const Partition& partition, const Request& request);

/// What reservations, limits and preemption go by: the account and QOS that a job of the strategy has there.
JobRights rights_of(const Cluster& cluster, const Strategy& strategy, const Partition& partition);

}  // namespace rv::planner
