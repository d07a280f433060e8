// `--after RUN[:ok|any]`: the run to wait for.
#pragma once

#include <optional>
#include <string>

#include "monitor/run/run_folder.h"
#include "settings/settings.h"
#include "templates/job_script.h"

namespace rv::cli {

struct AfterOption {
  std::string word;     // what the user typed for the run
  bool only_ok = true;  // ":ok", the default; false for ":any"
};

/// Throws Error(usage) for a condition that is neither.
AfterOption parse_after(const std::string& text);

struct Following {
  monitor::AfterRecord record;
  templates::Predecessor predecessor;
};

/// Finds the run and asks Slurm where it stands. Nothing when it has already ended as wanted: then there is nothing to
/// wait for. Throws Error(no_such_run) for a run that is unknown or not certain, Error for one that ended otherwise.
std::optional<Following> follow_run_of(const AfterOption& option, const Settings& settings);

}  // namespace rv::cli
