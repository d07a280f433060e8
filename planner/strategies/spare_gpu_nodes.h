// CPU jobs keep off the nodes that have GPUs.
#pragma once

#include <chrono>

#include "planner/cluster/strategy.h"

namespace rv::planner {

/// Rejects the CPU strategies on nodes with GPUs where one on nodes without starts within `soon` (median), so that they
/// take no CPUs that GPU jobs need. Checkpointed strategies are compared among themselves. Without a known wait nothing
/// is rejected: rank() then puts the nodes without GPUs first.
void spare_gpu_nodes(Plan& plan, std::chrono::seconds soon);

}  // namespace rv::planner
