// Memory that a partition's DefMemPerGPU keeps a job waiting for.
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// MiB that must be free on a node for a job with this number of GPUs there, whatever memory the job asks for: a node
/// gives a job at most (free memory / DefMemPerGPU) GPUs (gres_select_filter_remove_unusable() in
/// src/plugins/select/cons_tres/gres_select_filter.c). The job then has the memory that it asks for. The partition's
/// JobDefaults replace the cluster's. 0: no such rule.
std::int64_t memory_for_gpus(const ControllerSettings& controller, const Partition& partition, int gpus);

}  // namespace rv::planner
