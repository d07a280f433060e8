// The options of rv map.
#pragma once

#include <memory>
#include <optional>

#include "cli/launch/launch_options.h"
#include "monitor/tasks/task_list.h"

namespace rv::cli {

struct MapOptions {
  std::shared_ptr<LaunchOptions> launch;
  bool follow = false;
  std::optional<int> per_gpu, gpus_per_task;
};

/// Adds those that belong to a run, which --resume repeats.
std::shared_ptr<MapOptions> add_map_options(CLI::App& command);

/// Puts the options of the tasks into `list`, and takes them out of the options of the run: --retries starts a task
/// again, and not the run. Throws Error(usage) for options that rv map does not support, and for tasks that need more
/// GPUs or CPUs than are requested.
void take_task_options(MapOptions& options, monitor::TaskList& list);

}  // namespace rv::cli
