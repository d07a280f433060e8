// Which run folders may go. Pure: what is stored and what is wanted in, the choice and its reasons out.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slurm/parse/job_records.h"

namespace rv::monitor {

/// One run folder as it lies on the disk.
struct StoredRun {
  std::string id;
  std::string name;
  std::int64_t bytes = 0;
  std::optional<slurm::TimePoint> ended;  // of a run that is over for certain; nothing: it may be alive
  bool has_job = false;                   // Slurm still has a job of its own that is not over
  std::string named_by;                   // a run that is not over and names this one; empty: none
};

struct KeepRules {
  std::optional<std::chrono::seconds> older_than;  // goes when it ended longer ago
  std::optional<std::int64_t> most_bytes;          // of all folders together: those that ended first go until it fits
};

struct Choice {
  std::string id;
  bool remove = false;
  std::string why;  // "ended 40d ago", "is not over"
};

/// One choice per run, in the order of the runs. Only a run that is certainly over, has no job left and is named by no
/// other run can go.
std::vector<Choice> choose_removals(const std::vector<StoredRun>& runs, const KeepRules& rules, slurm::TimePoint now);

}  // namespace rv::monitor
