// What accounting tells about jobs that are over → values.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "planner/cluster/finished_job.h"

namespace rv::slurm {

/// Format of `sacct -a -X -P -n`: fields that every release from 20.11 on has. The name comes last because it may hold
/// any byte.
inline constexpr std::string_view finished_jobs_format =
    "JobIDRaw,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,Timelimit,AllocTRES,JobName";

struct FinishedJobs {
  std::vector<planner::FinishedJob> jobs;  // in the order of the rows
  std::size_t not_over = 0;                // rows of jobs that still wait or run
  std::size_t never_started = 0;           // cancelled while they waited: they tell no run time
  std::size_t unreadable = 0;              // rows with other columns, or without the times
};

/// Rows whose end lies in [from, to). sacct lists a job in every window that it touches, so of adjoining windows each
/// job counts in exactly one.
FinishedJobs parse_finished_jobs(std::string_view text, planner::TimePoint from, planner::TimePoint to);

}  // namespace rv::slurm
