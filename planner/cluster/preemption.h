// Decides which jobs may preempt which: by PriorityTier (PreemptType=preempt/partition_prio), or by QOS (preempt/qos).
#pragma once

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// Whether preemption is the same for a job in both partitions: they have the same mode, and the same PriorityTier
/// unless preemption is off.
bool same_preemption(const ControllerSettings& controller, const Partition& one, const Partition& other);

/// Whether jobs of a higher PriorityTier can end running jobs of the partition, that is requeue or cancel them.
/// Suspending does not count: a suspended job keeps its GPUs and memory.
bool is_preemptible(const ControllerSettings& controller, const Partition& partition);

/// Whether jobs of a QOS that preempts this one can end its running jobs.
bool is_preemptible(const ControllerSettings& controller, const Qos& qos);

/// Whether preempted jobs are requeued (PreemptMode=REQUEUE, unless the site's jobs are not requeued by default); false
/// if they are cancelled.
bool is_requeued(const ControllerSettings& controller, const Partition& partition);
bool is_requeued(const ControllerSettings& controller, const Qos& qos);

/// Whether a job of this partition preempts only jobs whose priority is not above its own (PreemptMode=…,PRIORITY,
/// 25.05).
bool spares_higher_priority(const ControllerSettings& controller, const Partition& partition);
/// Whether a job of this QOS preempts only jobs whose priority is below its own.
bool spares_higher_priority(const ControllerSettings& controller, const Qos& qos);

/// Whether the cluster preempts by QOS.
bool preempts_by_qos(const ControllerSettings& controller);

/// The key in Cluster::unanswered if the cluster preempts by QOS, and Slurm did not report which QOS preempts which.
inline constexpr const char* preemption_between_qos = "preemption between QOS";

}  // namespace rv::planner
