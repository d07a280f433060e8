// The options of a run that goes through several segments by checkpoint and restart.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cli/settings/settings.h"
#include "monitor/run/run_folder.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "templates/job_spec.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct CheckpointOptions {
  bool wanted = false;
  std::optional<std::chrono::seconds> segment;  // nothing: that of --window, else of the settings
  templates::Chain chain;                       // `from`: as typed
  std::string companion;                        // an option that was given and needs --checkpoint; empty: none was
};

/// Adds --checkpoint, --segment-time, --time-min, --warn, --signal, --max-crashes, --checkpoint-from. Reading them
/// throws Error(usage) that names the option.
std::shared_ptr<CheckpointOptions> add_checkpoint_options(CLI::App& command);

/// Checks that the options agree, and marks the request as work in segments. Throws Error(usage).
void ask_for_segments(planner::Request& request, const CheckpointOptions& options, const Settings& settings);

/// Throws Error(usage) for a strategy whose segments leave no time to work.
void check_segments(const templates::Chain& chain, const planner::Strategy& strategy);

/// The run that --checkpoint-from names. Throws Error for one that does not exist, saved nothing, or still runs.
monitor::RunFolder checkpoint_source(const std::string& run, const Settings& settings);

}  // namespace rv::cli
