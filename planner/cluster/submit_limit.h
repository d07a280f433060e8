// How many jobs a user may have in the queue at once.
#pragma once

#include <optional>
#include <string>

#include "planner/cluster/cluster.h"

namespace rv::planner {

struct SubmitLimit {
  int most = 0;
  int queued = 0;      // the user's jobs that count, running ones and each array element included
  std::string source;  // "QOS normal MaxSubmitPU", "account lab MaxSubmit"

  int left() const { return queued < most ? most - queued : 0; }
};

/// The one that leaves least, for the snapshot's user in this partition; null for job_qos and association: unknown, no
/// limit from there. Of the partition's QOS and the job's, the first that states one (job QOS first where it has
/// OverPartQOS), as in Slurm; the association's holds beside it. Empty: no limit, or none that is enforced, or the
/// queue is unknown.
std::optional<SubmitLimit> submit_limit(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                                        const Association* association);

/// Why nothing more can be submitted, and what would help; empty when something can.
std::string submit_refusal(const std::optional<SubmitLimit>& limit);

}  // namespace rv::planner
