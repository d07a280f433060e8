// What a job in the queue asks of each node.
#pragma once

#include <string>
#include <string_view>

#include "planner/cluster/cluster.h"

namespace rv::planner {

struct GpuDemand {
  int count = 0;      // on each node
  DatabaseName type;  // of gres; empty: any
  bool several_types = false;
};

/// From the request per node ("gres:gpu:a100:2", "gres/gpu:2", "gpu:a100"), else from the job's totals.
GpuDemand gpu_demand(const QueuedJob& job);

/// CPUs on each node: the job's total in equal parts, rounded up.
int cpu_demand(const QueuedJob& job);

/// MiB on each node; 0 where the job asks for none.
std::int64_t memory_demand(const QueuedJob& job);

/// The number in front: "123" of "123", "123_4" and "123_[5-9%2]". 0 when there is none.
std::int64_t base_id(std::string_view id);

/// The element's number: 4 of "123_4"; 0 for others.
std::int64_t array_index(std::string_view id);

/// The throttle of "123_[5-9%2]"; 0: none.
int array_throttle(std::string_view id);

}  // namespace rv::planner
