// Arrays with a throttle: a limit on the elements that run at the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/model/job_demand.h"
#include "planner/replay/model/numbering.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

class ArrayLimits {
 public:
  /// Adds a limit to the model for each array with a throttle. `jobs`: the queue, in any order.
  ArrayLimits(const std::vector<const QueuedJob*>& jobs, ReplayModel& model);

  /// Returns the number of the job's limit in ReplayModel::arrays; -1: it has none.
  int of(const QueuedJob& job) const { return numbers_.find(base_id(job.id)); }

  /// Sets the throttles that Slurm does not print. Call it once the running elements have been counted: up to 23.11
  /// Slurm prints the last waiting element without a throttle ("3_1"), which then equals the number of running
  /// elements.
  void set_unprinted() const;

 private:
  ReplayModel& model_;
  Numbering<std::int64_t> numbers_;  // by base ID
};

}  // namespace rv::planner
