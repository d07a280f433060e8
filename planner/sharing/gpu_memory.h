// The free memory that a job needs on a node because of DefMemPerGPU.
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// Returns the MiB that must be free on a node for a job with this number of GPUs there, independently of the memory
/// that the job requests: Slurm gives a job at most (free memory / DefMemPerGPU) GPUs of a node
/// (gres_select_filter_remove_unusable() in src/plugins/select/cons_tres/gres_select_filter.c). The job then gets the
/// memory that it requests. The partition's JobDefaults replace the cluster's. 0: there is no such rule.
std::int64_t memory_for_gpus(const ControllerSettings& controller, const Partition& partition, int gpus);

}  // namespace rv::planner
