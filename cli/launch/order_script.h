// An order and a strategy → the batch script, the same for one that is shown and one that is submitted.
#pragma once

#include <optional>
#include <string>

#include "cli/launch/after_option.h"
#include "cli/launch/work_order.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "settings/settings.h"
#include "templates/job_script.h"

namespace rv::cli {

/// What an order's words stand for at this moment.
struct OrderGrounds {
  std::optional<Following> following;      // --after; nothing: there is nothing to wait for
  std::string checkpoint_from;             // --checkpoint-from: a folder; empty: a fresh start
  templates::ProjectEnvironment project;   // of the user's project
  std::string project_from;                // what its environment is made of, for people
  std::vector<std::string> project_setup;  // its own set-up lines, behind the site's
  std::string environment;                 // what rv env keeps, to be sourced by the job; empty: nothing
};

/// Looks up the runs that the order names, and asks Slurm about the one to wait for. Throws Error where one is not
/// known, or not in the state that the order needs.
OrderGrounds grounds_of(const WorkOrder& order, const Settings& settings);

/// The run that a script is of.
struct ScriptRun {
  std::string id;
  std::string folder;  // absolute
  std::string name;    // for people
};

/// A run called "preview", which does not exist, for a script that is only shown.
ScriptRun preview_run(const planner::Request& request, const WorkOrder& order, const Settings& settings);

/// Everything that the script of one strategy needs, which is number `candidate` (from 1) of its run. Throws
/// Error(usage) for a segment that leaves no time to work.
templates::JobFacts job_facts(const WorkOrder& order, const OrderGrounds& grounds, const planner::Strategy& strategy,
                              int candidate, const Settings& settings, const ScriptRun& run);

/// The script with those facts.
std::string order_script(const WorkOrder& order, const OrderGrounds& grounds, const planner::Strategy& strategy,
                         int candidate, const Settings& settings, const ScriptRun& run);

}  // namespace rv::cli
