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

/// `jobs-USER-CLUSTER` in a folder (mode 0600), and a lock file beside it. A file that is cut off or garbled is as good
/// as none: it is read anew.
class JobHistoryFile {
 public:
  /// How often accounting is asked at most, whether it answers or not.
  static constexpr std::chrono::minutes interval{10};
  /// Bounds of what is kept: a plan reads all of it (4 ms for 20,000 jobs), and older jobs say little.
  static constexpr std::size_t most_jobs = 50'000;
  static constexpr std::chrono::days longest{30};

  /// An empty folder: nothing is kept.
  JobHistoryFile(const std::string& folder, std::string user);

  /// What is there, without asking anybody. Nothing where nothing has been read yet.
  std::optional<JobHistory> read() const;

  /// True when nobody has asked accounting for `interval`.
  bool due() const;

  /// Asks accounting for what is missing up to `now`, newest first, and writes after every answer, so that a kill loses
  /// one slice at most. Does nothing when another process is at it or was within `interval`; else `first` is called
  /// before accounting is. False when accounting gave no answer; what had been read stays.
  bool extend_from(Gateway& gateway, planner::TimePoint now, const std::function<void()>& first = {}) const;

 private:
  bool write(const JobHistory& history) const;

  std::string user_;
  std::string path_;
};

}  // namespace rv::slurm
