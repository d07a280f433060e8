// `--stall TIME` and `--on-stall`: what happens if the command makes no progress.
#pragma once

#include <chrono>
#include <optional>

#include "templates/job_spec.h"

namespace CLI {
class App;
}

namespace rv::cli {

enum class OnStall {
  warn,     // record it, and let the command run
  stop,     // end the command
  restart,  // end it, and start it again: as --retries does, or from the last checkpoint
};

struct StallOptions {
  std::optional<std::chrono::seconds> after;  // --stall; 0: never
  std::optional<OnStall> action;              // --on-stall; nothing: warn
};

/// Adds both options. Reading them throws Error(usage) that names the option.
void add_stall_options(CLI::App& command, StallOptions& options);

/// Adds the watch to `job`. Call it after the job's chain and retries are set: for --on-stall restart without --retries
/// it sets the retries. `usual`: the setting `stall`, for commands without --stall; 0: none. Throws Error(usage) where
/// the job can't be watched, or can't be ended or restarted in this way.
void put_stall(templates::JobSpec& job, const StallOptions& options, std::chrono::seconds usual);

}  // namespace rv::cli
