// Which running jobs may be preempted for which others, by number: Slurm's preempt/partition_prio and preempt/qos.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "planner/cluster/cluster.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// Writes `preemption_groups`, `groups_are_qos`, `priority_classes` and `preemptors` of the model.
class PreemptionRules {
 public:
  /// Makes a group for each partition (or QOS) and priority class. Both arguments must outlive this object.
  PreemptionRules(const Cluster& cluster, ReplayModel& model);

  /// Returns the number of a QOS in the snapshot; -1: there is none of that name, or preemption is not by QOS.
  int qos(const DatabaseName& name) const;

  /// Returns the number in ReplayModel::preemptors for a job of this QOS, partition and priority; -1: it may preempt no
  /// job.
  int preemptor(int qos, int partition, std::int64_t priority);

 private:
  void add_priority_classes();
  bool spares(int partition_or_qos) const;
  int new_preemptor(int partition_or_qos, std::optional<int> highest_class);

  const Cluster& cluster_;
  ReplayModel& model_;
  std::map<std::pair<int, int>, int>
      preemptors_of_groups_;  // by partition or QOS, and the highest class that it may preempt
};

}  // namespace rv::planner
