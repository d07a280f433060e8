#include "planner/cluster/preemption.h"

#include <string>

#include "base/text.h"

namespace rv::planner {

namespace {

/// A partition that states no mode has the cluster's.
std::string mode(const ControllerSettings& controller, const Partition& partition) {
  const std::string word = lower(partition.preempt_mode.empty() ? controller.preempt_mode : partition.preempt_mode);
  return word.empty() ? "off" : word;
}

}  // namespace

bool same_preemption(const ControllerSettings& controller, const Partition& one, const Partition& other) {
  const std::string how = mode(controller, one);
  return how == mode(controller, other) && (how == "off" || one.priority_tier == other.priority_tier);
}

}  // namespace rv::planner
