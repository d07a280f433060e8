// Limits on the number of jobs that may be in the queue at once.
#pragma once

#include <optional>
#include <string>

#include "planner/cluster/cluster.h"

namespace rv::planner {

struct SubmitLimit {
  int most = 0;
  int queued = 0;      // jobs that count: also running ones, and each element of an array
  std::string whose;   // "you", "account lab", "QOS normal"
  std::string source;  // "QOS normal MaxSubmitPU", "account lab MaxSubmit"

  int left() const { return queued < most ? most - queued : 0; }
};

/// Returns the limit that leaves the fewest jobs to the snapshot's user in this partition. Nothing if there is no
/// limit, if limits are not enforced, or if the queue is unknown. A null `job_qos` or `association` is unknown and sets
/// no limit.
/// - If the same limit is set in several places, the first of these counts, as in Slurm: partition QOS, job QOS,
///   association. A job QOS with OverPartQOS comes before the partition QOS.
/// - MaxSubmitPU and MaxSubmitPA of a QOS both replace the association's MaxSubmit.
/// - GrpSubmit of each account above applies, unless a QOS sets one.
std::optional<SubmitLimit> submit_limit(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                                        const Association* association);

/// Returns why no more jobs can be submitted, and what would help; empty if more can be submitted.
std::string submit_refusal(const std::optional<SubmitLimit>& limit);

}  // namespace rv::planner
