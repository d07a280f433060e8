// Partitions in which the main pass found a job that can't start: it starts no further job there.
#pragma once

#include <vector>

#include "planner/replay/model/replay_model.h"
#include "planner/replay/passes/per_pass.h"

namespace rv::planner {

class BlockedPartitions {
 public:
  explicit BlockedPartitions(const ReplayModel& model)
      : model_(model),
        by_job_(model.partitions.size()),
        by_hypothetical_(model.partitions.size()),
        nodes_(model.nodes.size()) {}

  /// Starts a pass of either kind, with nothing blocked. The backfill pass blocks nothing.
  void begin_pass();

  /// A job waits in the partition and blocks the jobs and hypothetical jobs behind it.
  void block_by_job(int partition) { by_job_[partition] = true; }
  /// A hypothetical job waits in the partition and blocks the jobs behind it, but no other hypothetical jobs.
  void block_by_hypothetical(int partition) { by_hypothetical_[partition] = true; }
  /// Blocks the partition's nodes also for jobs of other partitions.
  void block_nodes_of(int partition);

  bool by_job(int partition) const { return by_job_.of(partition); }
  bool by_anybody(int partition) const { return by_job_.of(partition) || by_hypothetical_.of(partition); }
  bool node(int number) const { return any_nodes_ && nodes_.of(number); }

 private:
  const ReplayModel& model_;
  PerPass<bool> by_job_;
  PerPass<bool> by_hypothetical_;
  PerPass<bool> nodes_;
  bool any_nodes_ = false;
};

}  // namespace rv::planner
