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

std::string mode(const ControllerSettings& controller, const Qos& qos) {
  const std::string own = lower(qos.preempt_mode);
  const bool of_cluster = own.empty() || own == "cluster" || own == "off";
  return of_cluster ? lower(controller.preempt_mode) : own;
}

bool requeues(const std::string& mode) {
  return mode.find("requeue") != std::string::npos;
}

bool ends_jobs(const std::string& mode) {
  return requeues(mode) || mode.find("cancel") != std::string::npos;
}

bool says_priority(const std::string& mode) {
  return lower(mode).find("priority") != std::string::npos;
}

}  // namespace

bool same_preemption(const ControllerSettings& controller, const Partition& one, const Partition& other) {
  const std::string how = mode(controller, one);
  return how == mode(controller, other) && (how == "off" || one.priority_tier == other.priority_tier);
}

bool is_preemptible(const ControllerSettings& controller, const Partition& partition) {
  return controller.preempt_type.ends_with("partition_prio") && ends_jobs(mode(controller, partition));
}

bool is_preemptible(const ControllerSettings& controller, const Qos& qos) {
  return preempts_by_qos(controller) && ends_jobs(mode(controller, qos));
}

bool is_requeued(const ControllerSettings& controller, const Partition& partition) {
  return controller.requeue_by_default && requeues(mode(controller, partition));
}

bool is_requeued(const ControllerSettings& controller, const Qos& qos) {
  return controller.requeue_by_default && requeues(mode(controller, qos));
}

// Either the own mode or the cluster's says it: preempt_p_preemptable() of both plugins.
bool spares_higher_priority(const ControllerSettings& controller, const Partition& partition) {
  return says_priority(partition.preempt_mode) || says_priority(controller.preempt_mode);
}

bool spares_higher_priority(const ControllerSettings& controller, const Qos& qos) {
  return says_priority(qos.preempt_mode) || says_priority(controller.preempt_mode);
}

bool preempts_by_qos(const ControllerSettings& controller) {
  return controller.preempt_type.ends_with("/qos") && lower(controller.preempt_mode) != "off";
}

}  // namespace rv::planner
