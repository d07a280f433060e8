// How many GPUs of which gres type a job of the queue asks for.
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
