// The limits on the jobs of one user or partition that a backfill pass considers.
#pragma once

#include "planner/replay/model/replay_model.h"
#include "planner/replay/passes/per_pass.h"

namespace rv::planner {

/// bf_max_job_user and bf_max_job_part.
class BackfillLimits {
 public:
  explicit BackfillLimits(const ReplayModel& model)
      : times_(model.times),
        of_users_(static_cast<std::size_t>(model.users)),
        of_partitions_(model.partitions.size()) {}

  void begin_pass() {
    of_users_.begin_pass();
    of_partitions_.begin_pass();
  }

  /// Counts the entry and returns whether the pass may consider it.
  bool admits(const QueueEntry& entry) {
    if (times_.per_partition > 0 && ++of_partitions_[entry.partition] > times_.per_partition) return false;
    return times_.per_user <= 0 || entry.user < 0 || ++of_users_[entry.user] <= times_.per_user;
  }

 private:
  const SchedulerTimes& times_;
  PerPass<int> of_users_;
  PerPass<int> of_partitions_;
};

}  // namespace rv::planner
