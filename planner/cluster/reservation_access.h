// Decides which jobs may run in a reservation.
#pragma once

#include <chrono>
#include <string>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// The properties of a job on which its access to a reservation depends.
struct JobRights {
  DatabaseName user;
  DatabaseName account;
  DatabaseName qos;
  std::string partition;
};

/// Whether a job with these rights may run in the reservation, by its users, accounts, AllowQOS and AllowPartition.
/// Each of these is a list of names that are accepted, or of names after a '-' that are refused
/// (_valid_job_access_resv() and _valid_job_access_resv_at_sched() in slurmctld).
bool admits(const Reservation& reservation, const JobRights& job);

/// Whether Slurm places such a job in the reservation although the job does not name it (Flags=MAGNETIC), and the job
/// ends before the reservation.
bool is_magnetic_for(const Reservation& reservation, const JobRights& job, TimePoint begin,
                     std::chrono::seconds time_limit);

}  // namespace rv::planner
