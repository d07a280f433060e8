// Accounting's records of finished jobs, and the interval that they cover.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/finished_job.h"

namespace rv::slurm {

/// Everything that ended in [from, to) as far as accounting shows it to this user.
struct JobHistory {
  planner::TimePoint from;
  planner::TimePoint to;
  std::vector<planner::FinishedJob> jobs;  // by end, oldest first
  /// Another user's job is among them. False says nothing about others: PrivateData may hide them.
  bool shows_others = false;

  bool empty() const { return from == to; }
};

/// Adds what was read about [from, to), a time that adjoins or overlaps the history's own; what the history had in it
/// goes, since accounting may have heard of more jobs by now. `user` is who asked.
void extend(JobHistory& history, planner::TimePoint from, planner::TimePoint to, std::vector<planner::FinishedJob> jobs,
            const planner::DatabaseName& user);

/// Drops the oldest until at most `count` are left, and what ended before `since`.
void trim(JobHistory& history, std::size_t count, planner::TimePoint since);

/// A compact form for the history's file: versioned, with a checksum, for machines of one byte order.
std::string to_bytes(const JobHistory& history);

/// Nothing for bytes that to_bytes of this version did not write, cut off or changed ones included.
std::optional<JobHistory> from_bytes(std::string_view bytes);

}  // namespace rv::slurm
