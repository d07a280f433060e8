// The history in the site's rv folder: read by every plan, extended in the background.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "slurm/gateway.h"
#include "slurm/job_history.h"

namespace rv::slurm {

/// `jobs-USER-CLUSTER` in a folder (mode 0600), and a lock file beside it. If the file is incomplete or damaged, the
/// history is read from accounting again.
class JobHistoryFile {
 public:
  /// The minimum time between two queries of accounting, even if it does not answer.
  static constexpr std::chrono::minutes interval{10};
  /// Limits of the stored history: a plan reads all of it (4 ms for 20,000 jobs), and older jobs predict little.
  static constexpr std::size_t most_jobs = 50'000;
  static constexpr std::chrono::days longest{30};

  /// With an empty `folder`, nothing is stored.
  JobHistoryFile(const std::string& folder, std::string user);

  /// Reads the file only, without a query. Nothing if accounting has not been read yet.
  std::optional<JobHistory> read() const;

  /// Whether the last query of accounting, by any process, is older than `interval`.
  bool due() const;

  /// Queries accounting for the missing jobs up to `now`, in slices, newest first. Writes the file after each slice, so
  /// a killed process loses at most one. Does nothing if another process does the same, or did so within `interval`;
  /// otherwise it calls `first` before the queries. Returns false if accounting did not answer; slices that were read
  /// stay.
  bool extend_from(Gateway& gateway, planner::TimePoint now, const std::function<void()>& first = {}) const;

 private:
  bool write(const JobHistory& history) const;

  std::string user_;
  std::string path_;
};

}  // namespace rv::slurm
