// Reads the times of Slurm's scheduling passes from SchedulerParameters.
#pragma once

#include "planner/cluster/cluster.h"
#include "planner/replay/model/replay_model.h"

namespace rv::planner {

/// The defaults are those of 22.05 (slurm.conf(5)): bf_interval 30 s, bf_window 1440 min, bf_resolution 60 s,
/// bf_max_job_test 500, bf_max_job_array_resv 20, default_queue_depth 100, batch_sched_delay 3 s, sched_interval 60 s.
SchedulerTimes scheduler_times(const Cluster& cluster);

}  // namespace rv::planner
