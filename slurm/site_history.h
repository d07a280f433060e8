// Data about a site from accounting and the scheduler, besides the snapshot. Every plan reads it; a background process
// refreshes it.
#pragma once

#include <optional>
#include <string>

#include "slurm/job_history.h"
#include "slurm/parse/parse_priority.h"

namespace rv::slurm {

/// A member without a value is unknown: not read yet, too old, or accounting does not answer.
struct SiteHistory {
  std::optional<JobHistory> history;
  std::optional<PriorityFacts> priority;  // at most an hour old
};

/// Reads the files in the folder. Does not query Slurm or wait.
SiteHistory read_site_history(const std::string& folder, const std::string& user);

/// Queries sprio, sshare and sacct in a separate process, which continues if this process ends. Skipped if they were
/// queried within JobHistoryFile::interval. Returns at once; the next plan uses the result.
void refresh_site_history_in_background(const std::string& folder, const std::string& user);

}  // namespace rv::slurm
