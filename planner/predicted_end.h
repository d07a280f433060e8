// When a running job will be over.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/finished_job.h"

namespace rv::planner {

struct PredictedEnd {
  std::chrono::seconds latest{0};  // from the snapshot to the end of the time limit
  /// From the snapshot, by the run times of finished jobs; empty: there are none to learn from.
  std::optional<std::chrono::seconds> p10, p50, p90;
};

/// Of a job, or of an array whose elements all run: the element that ends last. The run times are those of the replay
/// (planner/replay/model/run_times.h). Nothing for a job without a time limit, and one that does not run.
std::optional<PredictedEnd> predicted_end(const Cluster& cluster, const std::vector<FinishedJob>& finished,
                                          std::string_view id);

}  // namespace rv::planner
