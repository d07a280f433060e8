// The number and gres type of GPUs that a queued job requests.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::cli {

struct AskedGpus {
  planner::DatabaseName type;  // gres type, empty: any
  std::int64_t gpus = 0;       // of the whole job, of an array of one element
};

std::vector<AskedGpus> gpus_asked(const planner::QueuedJob& job);

}  // namespace rv::cli
