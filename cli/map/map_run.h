// Starting the run of rv map, and another one for what is left of it.
#pragma once

#include <string>
#include <vector>

#include "cli/map/map_options.h"
#include "cli/options/invocation.h"
#include "monitor/run/resolve_run.h"
#include "monitor/tasks/task_list.h"
#include "monitor/tasks/task_results.h"

namespace rv::cli {

/// A run of tasks, before it is started.
struct MapOrder {
  std::vector<std::string> typed;  // the command as the user typed it
  monitor::TaskList list;
  std::vector<monitor::TaskResult> earlier;  // of the runs that it continues
  std::string resumed_folder;                // of the last one of these; empty: it continues none
};

/// Plans and starts the run, follows it if that was asked for, and returns the exit code.
int start_map(MapOptions& options, MapOrder order, const Invocation& invocation);

/// Follows a run of tasks to its end and returns the exit code.
int follow_map(const monitor::RunFolder& folder, const Invocation& invocation);

/// The word for a run that --resume takes. A run that continues another has its name, so a name means the last of them:
/// then its ID is returned, else the word itself.
std::string last_of_name(const std::vector<monitor::ListedRun>& runs, const std::string& word);

/// The order that continues a run: what was not started, what was interrupted, and with `failed` what failed. Throws
/// Error(usage) if the run is not over, was resumed already, or has no such task.
MapOrder resumed_order(const monitor::KnownRun& run, bool failed);

}  // namespace rv::cli
