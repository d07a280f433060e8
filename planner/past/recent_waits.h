// The simplest predictions: the last waits of similar jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "planner/cluster/finished_job.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

class RecentWaits {
 public:
  /// Adds the wait of a job that has started.
  void add(const FinishedJob& job);

  /// 10, 50 and 90 % percentiles of the last `count` waits of jobs in the same partition, and of the same size to a
  /// factor of two; of all jobs of the partition, or of all jobs, while there are fewer than 3. Unknown without any.
  Wait last(const FinishedJob& job, std::size_t count) const;

 private:
  using Waits = std::vector<std::int32_t>;
  std::unordered_map<std::uint64_t, Waits> waits_;
};

}  // namespace rv::planner
