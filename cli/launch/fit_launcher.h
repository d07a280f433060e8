// A plan beside the numbers of the command's own launcher (cli/project/launcher.h).
#pragma once

#include <optional>
#include <string>

#include "planner/cluster/strategy.h"
#include "templates/job_spec.h"

namespace rv::cli {

/// Leaves the strategies that have the launcher's nodes and GPUs, where there are any; a GPU type that has none of them
/// is rejected. Where no strategy has them, all stay. Returns a line that reports this; nothing where the command
/// has no launcher with numbers, or all strategies fit.
std::optional<std::string> fit_launcher(planner::Plan& plan, const templates::JobSpec& job);

/// Whether the strategy has the nodes and GPUs of the command's launcher; true for a command without one.
bool fits_launcher(const planner::Strategy& strategy, const templates::JobSpec& job);

}  // namespace rv::cli
