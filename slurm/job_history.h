// Accounting's records of finished jobs, and the interval that they cover.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/finished_job.h"

namespace rv::slurm {

/// All jobs that ended in [from, to), as far as accounting shows them to this user.
struct JobHistory {
  planner::TimePoint from;
  planner::TimePoint to;
  std::vector<planner::FinishedJob> jobs;  // by end, oldest first
  /// Whether it has a job of another user. If not, other users may still have jobs: PrivateData may hide them.
  bool shows_others = false;

  bool empty() const { return from == to; }
};

/// Adds the jobs that were read for [from, to), an interval that adjoins or overlaps that of the history. They replace
/// the history's jobs in this interval, because accounting may have received more jobs since. `user`: the user who
/// queried it.
void extend(JobHistory& history, planner::TimePoint from, planner::TimePoint to, std::vector<planner::FinishedJob> jobs,
            const planner::DatabaseName& user);

/// Removes jobs that ended before `since`, and the oldest jobs until at most `count` are left.
void trim(JobHistory& history, std::size_t count, planner::TimePoint since);

/// Encodes the history for its file, with a version and a checksum. Machines with another byte order can't read it.
std::string to_bytes(const JobHistory& history);

/// Decodes the history; nothing if the bytes are incomplete, changed, or from another version.
std::optional<JobHistory> from_bytes(std::string_view bytes);

}  // namespace rv::slurm
