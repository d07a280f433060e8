// What rv has learned about a site from accounting and the scheduler, beyond a snapshot: read by every plan, refreshed
// in the background.
#pragma once

#include <optional>
#include <string>

#include "slurm/job_history.h"
#include "slurm/parse/parse_priority.h"

namespace rv::slurm {

/// An empty value is unknown: not read yet, too old, or accounting does not answer.
struct SiteHistory {
  std::optional<JobHistory> history;
  std::optional<PriorityFacts> priority;  // at most an hour old
};

/// Reads what is in the folder. Asks nobody, waits for nobody.
SiteHistory read_site_history(const std::string& folder, const std::string& user);

/// Asks sprio, sshare and sacct in a process of its own that outlives this one, unless that was done within
/// JobHistoryFile::interval. Returns at once; the next plan sees the result.
void refresh_site_history_in_background(const std::string& folder, const std::string& user);

/// What that process does.
void update_site_history(const std::string& folder, const std::string& user, planner::TimePoint now);

}  // namespace rv::slurm
