// Removal of snapshots that are no longer needed.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/settings/settings.h"

namespace rv::sync {

/// A run that rv gc has removed, or would.
struct RemovedRun {
  std::string id;
  std::string work_folder;
};

struct PruneRules {
  /// A run's snapshot is kept for this long after the run's end.
  std::chrono::seconds wait_after_end{0};
  bool dry_run = false;
  std::vector<RemovedRun> removed_runs = {};
};

/// Removes the snapshots of ended runs that have left no files in them, and those, a day old, that
/// belong to no run. What a run has written into its snapshot goes with the run's folder. Never that of a
/// run without an outcome; while there is a run that can't be read, none whose run isn't known. Returns the folders.
std::vector<std::string> prune_snapshots(const Settings& settings, const PruneRules& rules);

}  // namespace rv::sync
