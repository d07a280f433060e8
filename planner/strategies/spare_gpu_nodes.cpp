#include "planner/strategies/spare_gpu_nodes.h"

#include <algorithm>

#include "base/text.h"

namespace rv::planner {

void spare_gpu_nodes(Plan& plan, std::chrono::seconds soon) {
  const std::vector<Strategy> all = plan.strategies;
  std::erase_if(plan.strategies, [&](const Strategy& strategy) {
    if (!strategy.on_gpu_nodes) return false;
    const bool in_segments = strategy.kind == Kind::checkpoint;
    const auto other = std::find_if(all.begin(), all.end(), [&](const Strategy& one) {
      return !one.on_gpu_nodes && (one.kind == Kind::checkpoint) == in_segments && one.wait.p50 &&
             *one.wait.p50 <= soon;
    });
    if (other == all.end()) return false;
    plan.rejected.push_back({"", "nodes of " + listed(strategy.partitions) + " have GPUs, and " +
                                     listed(other->partitions) + " without GPUs starts soon"});
    return true;
  });
}

}  // namespace rv::planner
