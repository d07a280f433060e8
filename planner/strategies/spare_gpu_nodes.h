// Keeps CPU jobs off the nodes that have GPUs.
#pragma once

#include <chrono>

#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Rejects CPU strategies on nodes with GPUs if a strategy on nodes without GPUs starts within `soon` (median): they
/// would use CPUs that GPU jobs need. Checkpointed strategies are compared only with each other. Without a known wait
/// none is rejected; rank() then puts the nodes without GPUs first.
void spare_gpu_nodes(Plan& plan, std::chrono::seconds soon);

}  // namespace rv::planner
