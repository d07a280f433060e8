// Which jobs may be preempted for which: by PriorityTier (PreemptType=preempt/partition_prio), or by QOS (preempt/qos).
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// True when a job is preempted, and preempts, in one partition as in the other: same mode, and the same PriorityTier
/// unless preemption is off altogether.
bool same_preemption(const ControllerSettings& controller, const Partition& one, const Partition& other);

/// True when running jobs of the partition can be ended (requeued or cancelled) to make room for those of a higher
/// PriorityTier. A job that is suspended keeps its GPUs and memory.
bool is_preemptible(const ControllerSettings& controller, const Partition& partition);

/// The same of the jobs of a QOS, for those of a QOS that preempts it.
bool is_preemptible(const ControllerSettings& controller, const Qos& qos);

/// True when running jobs that make room are requeued (PreemptMode=REQUEUE, unless the site's jobs are not requeued by
/// default), false when they are cancelled.
bool is_requeued(const ControllerSettings& controller, const Partition& partition);
bool is_requeued(const ControllerSettings& controller, const Qos& qos);

/// True when a job of this partition (or QOS) preempts only jobs whose priority is not above its own
/// (PreemptMode=…,PRIORITY, 25.05).
bool spares_higher_priority(const ControllerSettings& controller, const Partition& partition);
/// The same, but a job of equal priority is spared, too.
bool spares_higher_priority(const ControllerSettings& controller, const Qos& qos);

/// True where QOS decide.
bool preempts_by_qos(const ControllerSettings& controller);

/// In Cluster::unanswered if preemption goes by QOS and the answer about it is missing.
inline constexpr const char* preemption_between_qos = "preemption between QOS";

}  // namespace rv::planner
