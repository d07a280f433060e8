#include "planner/replay/model/gpu_pools.h"

#include <algorithm>

namespace rv::planner {

void take_gpus(NodeResources& part, const NodeResources& from, PoolRange pools, int count) {
  for (int i = pools.first; i < pools.last && count > 0; ++i) {
    const int taken = std::clamp<int>(from.gpus[i], 0, count);
    part.gpus[i] = static_cast<std::int16_t>(part.gpus[i] + taken);
    count -= taken;
  }
}

}  // namespace rv::planner
