// The options of a run that goes through several segments by checkpoint and restart.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "settings/settings.h"
#include "templates/job_script.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct CheckpointOptions {
  bool wanted = false;
  std::optional<std::chrono::seconds> segment;   // nothing: from the backfill window
  std::optional<std::chrono::seconds> shortest;  // nothing: a segment is never shortened
  std::optional<std::chrono::seconds> warning;   // nothing: from the segment's length
  std::string signal = "USR1";                   // without SIG, in capitals
  int max_crashes = 3;
  std::string from;  // a run
};

/// Adds --checkpoint, --segment, --time-min, --warn, --signal, --max-crashes, --checkpoint-from. Reading them throws
/// Error(usage) that names the option.
std::shared_ptr<CheckpointOptions> add_checkpoint_options(CLI::App& command);

/// Checks that they agree, and tells the planner that the work comes in segments. Throws Error(usage).
void ask_for_segments(planner::Request& request, const CheckpointOptions& options, const Settings& settings);

/// To what Slurm may shorten a segment of such a length; 0: it may not.
std::chrono::seconds shortest_segment(const CheckpointOptions& options, std::chrono::seconds length);

/// What the script of one strategy gets. Throws Error(usage) for a segment that leaves no time to work.
templates::Chain chain_for(const CheckpointOptions& options, const planner::Strategy& strategy,
                           const std::string& checkpoint_from);

/// The checkpoint folder of the run that --checkpoint-from names; empty when it names none. Throws Error for one that
/// does not exist, saved nothing, or still runs.
std::string checkpoint_source(const CheckpointOptions& options, const Settings& settings);

}  // namespace rv::cli
