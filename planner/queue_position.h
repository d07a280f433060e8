// The position of a waiting job in the queue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::planner {

struct QueuePosition {
  int place = 1;                // from 1, in Slurm's order: PriorityTier, priority, job ID
  int waiting = 1;              // jobs that wait for the same partitions, this one included; each array element counts
  std::int64_t gpus_ahead = 0;  // GPUs that the jobs ahead request
  int own_ahead = 0;            // jobs of the same user among those ahead
  std::vector<std::string> partitions = {};  // partitions for which the job waits
};

/// Counts the waiting jobs that can start without action by their users. Nothing if the job does not wait or is not in
/// the snapshot, or if the site hides other users' jobs. `id`: the job's number; for an array, the number that its
/// elements share. `same_run`: other jobs of the same run. They are not counted, because only one job of a run starts.
std::optional<QueuePosition> queue_position(const Cluster& cluster, std::string_view id,
                                            const std::vector<std::string>& same_run = {});

}  // namespace rv::planner
