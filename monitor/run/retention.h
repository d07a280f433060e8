// Decides which run folders rv gc removes, from the list of stored runs and the user's rules. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slurm/parse/job_records.h"

namespace rv::monitor {

/// One run folder on the disk.
struct StoredRun {
  std::string id;
  std::string name;
  std::int64_t bytes = 0;
  std::optional<slurm::TimePoint> ended;  // nothing: the run may not be over
  bool has_job = false;                   // Slurm still has a job of this run that is not over
  std::string named_by;                   // a run that is not over and refers to this one; empty: none
};

struct KeepRules {
  std::optional<std::chrono::seconds> older_than;  // remove runs that ended longer ago
  // Size limit of all folders together: beyond it runs are removed, those that ended first before the others.
  std::optional<std::int64_t> most_bytes;
};

struct Choice {
  std::string id;
  bool remove = false;
  std::string why;  // "ended 40d ago", "is not over"
};

/// Returns one choice for each run, in the order of `runs`. A run is removed only if it is certainly over, has no job
/// in Slurm, and no run that is not over refers to it.
std::vector<Choice> choose_removals(const std::vector<StoredRun>& runs, const KeepRules& rules, slurm::TimePoint now);

}  // namespace rv::monitor
