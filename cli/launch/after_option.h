// `--after RUN[:ok|any]`: the run to wait for.
#pragma once

#include <optional>
#include <string>

#include "cli/settings/settings.h"
#include "templates/job_script.h"

namespace rv::cli {

/// `:ok` is the default. Throws Error(usage) for a condition that is neither.
templates::After parse_after(const std::string& text);

struct Following {
  templates::After after;  // with the run's ID
  templates::Predecessor predecessor;
};

/// Finds the run that `typed` names and asks Slurm for its state. Nothing when it has already ended as wanted: then
/// no wait is needed. Throws Error(no_such_run) for a run that is unknown or not certain, Error for one that
/// ended otherwise.
std::optional<Following> follow_run_of(const templates::After& typed, const Settings& settings);

}  // namespace rv::cli
