// Parses accounting's rows of finished jobs.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "planner/cluster/finished_job.h"

namespace rv::slurm {

/// The format for `sacct -a -X -P -n`: fields that every release since 20.11 has. The name is last because it may
/// contain any byte.
inline constexpr std::string_view finished_jobs_format =
    "JobIDRaw,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,Timelimit,AllocTRES,JobName";

struct FinishedJobs {
  std::vector<planner::FinishedJob> jobs;  // in the order of the rows
  std::size_t not_over = 0;                // rows of jobs that still wait or run
  std::size_t never_started = 0;           // cancelled while they waited: they have no run time
  std::size_t unreadable = 0;              // rows with other columns, or without times
};

/// Reads the jobs that ended in [from, to). sacct lists a job in every interval in which it existed; by its end it
/// belongs to exactly one of adjoining intervals.
FinishedJobs parse_finished_jobs(std::string_view text, planner::TimePoint from, planner::TimePoint to);

}  // namespace rv::slurm
