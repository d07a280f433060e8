// Computes the resources that a job in the queue requests on each node.
#pragma once

#include <string>
#include <string_view>

#include "planner/cluster/cluster.h"

namespace rv::planner {

struct GpuDemand {
  int count = 0;      // on each node
  DatabaseName type;  // gres type; empty: any
  bool several_types = false;
};

/// Reads the request per node ("gres:gpu:a100:2", "gres/gpu:2", "gpu:a100"), else the job's totals.
GpuDemand gpu_demand(const QueuedJob& job);

/// Returns the CPUs on each node: the job's total divided by its nodes, rounded up.
int cpu_demand(const QueuedJob& job);

/// Returns the MiB on each node; 0 if the job requests none.
std::int64_t memory_demand(const QueuedJob& job);

/// Returns the base ID: 123 for "123", "123_4" and "123_[5-9%2]"; 0 if there is none.
std::int64_t base_id(std::string_view id);

/// Returns the index of an array element: 4 for "123_4"; 0 for other IDs.
std::int64_t array_index(std::string_view id);

/// Returns the throttle: 2 for "123_[5-9%2]"; 0: none.
int array_throttle(std::string_view id);

}  // namespace rv::planner
