// What shall happen on the GPUs, whichever they are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/after_option.h"
#include "cli/options/array_option.h"
#include "cli/options/checkpoint_options.h"
#include "monitor/run/run_folder.h"
#include "planner/cluster/request.h"
#include "settings/settings.h"

namespace rv::cli {

struct WorkOrder {
  std::vector<std::string> typed;    // the user's words, for people
  std::vector<std::string> command;  // argv; empty: hold the allocation
  int processes_per_node = 1;
  std::vector<std::string> outputs;
  std::shared_ptr<const CheckpointOptions> checkpoint;  // set: the command saves its state and runs in segments
  ArrayOption array;                                    // the command once for each element
  std::optional<AfterOption> after;                     // the run to wait for
  bool requeue = false;
  std::string notify_folder;  // whom to tell of the run's events; empty: nobody
  std::string notify_on;      // of which events; empty: as each target says

  std::vector<std::string> container;  // options of srun
  /// Writes what the command needs into the run's folder before anything is submitted.
  std::function<void(const monitor::RunFolder&)> prepare;

  bool hold() const { return command.empty(); }
};

/// The user's words with everything else as it is when no option says otherwise; no words: hold. `notify`: the value of
/// --notify, or empty. Throws Error(usage) when it asks for telling and there is nobody to tell.
WorkOrder plain_order(const std::vector<std::string>& words, const Settings& settings, const std::string& notify = "");

/// The request's name, else the script's or program's, else "up".
std::string run_name(const planner::Request& request, const WorkOrder& order);

}  // namespace rv::cli
