#include "planner/sharing/gpu_memory.h"

namespace rv::planner {

std::int64_t memory_for_gpus(const ControllerSettings& controller, const Partition& partition, int gpus) {
  const auto& own = partition.default_memory_per_gpu;
  const auto each = own ? own : controller.default_memory_per_gpu;
  return each ? each->count * gpus : 0;
}

}  // namespace rv::planner
