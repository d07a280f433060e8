// Decides which run folders rv gc removes, from what is stored and from the user's rules. Pure.
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
  std::optional<slurm::TimePoint> ended;  // of a run that is certainly over; nothing: it may be alive
  bool has_job = false;                   // Slurm still has a job of this run that is not over
  std::string named_by;                   // a run that is not over and refers to this one; empty: none
};

struct KeepRules {
  std::optional<std::chrono::seconds> older_than;  // remove runs that ended longer ago
  std::optional<std::int64_t> most_bytes;  // of all folders together: the oldest ends are removed until the rest fits
};

struct Choice {
  std::string id;
  bool remove = false;
  std::string why;  // "ended 40d ago", "is not over"
};

/// One choice per run, in the order of the runs. Only a run that is certainly over, has no job left and to which no
/// other run refers is removed.
std::vector<Choice> choose_removals(const std::vector<StoredRun>& runs, const KeepRules& rules, slurm::TimePoint now);

}  // namespace rv::monitor
