// The smaller request that would have been enough for a run, from its usage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/use/run_use.h"

namespace rv::cli {

/// Medians out of a replay of the queue as it was when the run was submitted.
struct EnoughWait {
  std::chrono::seconds asked{0};
  std::chrono::seconds enough{0};
};

/// Smaller values than requested: the peak plus a fifth. A value that would hardly be smaller is nothing.
struct Enough {
  std::optional<Mebibytes> memory;           // per node
  std::optional<std::chrono::seconds> time;  // time limit
  std::optional<EnoughWait> wait = {};       // with and without it; nothing: not predicted

  /// {"--mem", "4G", "--time", "15m"}
  std::vector<std::string> options() const;
};

/// Computed from attempts that succeeded; all of them (for an array, all elements) must have been sampled. Memory only
/// after five minutes: accounting takes a sample every half minute, and a shorter run may have had its peak between
/// two. Nothing is said of CPUs, of which accounting has the average and not the peak. Nothing if no run succeeded, and
/// for a hold, whose use is the user's. A chain's time is not that of its jobs.
std::optional<Enough> enough_for(const std::vector<AttemptUse>& attempts, const templates::JobSpec& job);

}  // namespace rv::cli
