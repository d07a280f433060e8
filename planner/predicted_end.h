// Predicts when a running job ends.
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
  /// From the snapshot, by the run times of finished jobs; nothing without finished jobs.
  std::optional<std::chrono::seconds> p10, p50, p90;
};

/// Returns the end of the job `id`; for an array whose elements all run, the end of its last element. It uses the run
/// times of the replay (planner/replay/model/run_times.h). Nothing if the job has no time limit or does not run.
std::optional<PredictedEnd> predicted_end(const Cluster& cluster, const std::vector<FinishedJob>& finished,
                                          std::string_view id);

}  // namespace rv::planner
