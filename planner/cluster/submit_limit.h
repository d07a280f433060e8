// How many jobs may be in the queue at once.
#pragma once

#include <optional>
#include <string>

#include "planner/cluster/cluster.h"

namespace rv::planner {

struct SubmitLimit {
  int most = 0;
  int queued = 0;      // the jobs that count, running ones and each array element included
  std::string whose;   // "you", "account lab", "QOS normal"
  std::string source;  // "QOS normal MaxSubmitPU", "account lab MaxSubmit"

  int left() const { return queued < most ? most - queued : 0; }
};

/// The one that leaves least, for the snapshot's user in this partition; null for job_qos and association: unknown, no
/// limit from there. Of the same limit set in several places Slurm uses the first of: partition QOS, job QOS,
/// association (job QOS first where that has OverPartQOS). MaxSubmitPU and MaxSubmitPA of a QOS both replace the
/// association's MaxSubmit; GrpSubmit holds of each account above, unless a QOS sets one. Empty: no limit, or none that
/// is enforced, or the queue is unknown.
std::optional<SubmitLimit> submit_limit(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                                        const Association* association);

/// Why nothing more can be submitted, and what would help; empty when something can.
std::string submit_refusal(const std::optional<SubmitLimit>& limit);

}  // namespace rv::planner
