// Which jobs a reservation takes.
#pragma once

#include <chrono>
#include <string>

#include "planner/cluster/cluster.h"

namespace rv::planner {

/// What a reservation asks of a job.
struct JobRights {
  DatabaseName user;
  DatabaseName account;
  DatabaseName qos;
  std::string partition;
};

/// True when a job with these rights may run in the reservation: by users, accounts, AllowQOS and AllowPartition, of
/// which each is a list of names, or of names with a '-' before them that are refused (_valid_job_access_resv() and
/// _valid_job_access_resv_at_sched() in slurmctld).
bool admits(const Reservation& reservation, const JobRights& job);

/// True when such a job is placed in the reservation without naming it (Flags=MAGNETIC), and ends before it does.
bool is_magnetic_for(const Reservation& reservation, const JobRights& job, TimePoint begin,
                     std::chrono::seconds time_limit);

}  // namespace rv::planner
