// Where a waiting job stands in the queue.
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
  std::int64_t gpus_ahead = 0;  // that the jobs ahead ask for
  int own_ahead = 0;            // jobs of the same user among those ahead
  std::vector<std::string> partitions = {};  // that it waits for
};

/// Counts the jobs that could start by themselves. Nothing for a job that does not wait or is not in the snapshot, and
/// where the site hides other users' jobs. `id`: the job's number, of an array the number that its elements share.
/// `same_run`: further jobs of the same run, which do not count: only one of them starts.
std::optional<QueuePosition> queue_position(const Cluster& cluster, std::string_view id,
                                            const std::vector<std::string>& same_run = {});

}  // namespace rv::planner
