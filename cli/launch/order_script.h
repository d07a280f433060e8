// A job and a strategy → the batch script: the same text for `rv render` and for a submission.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/settings/settings.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "templates/job_script.h"

namespace rv::cli {

/// Values that rv resolved when it launched a job.
struct ResolvedInputs {
  std::optional<templates::Predecessor> predecessor;  // of JobSpec::after; nothing: there is no run to wait for
  std::string checkpoint_folder;                      // of Chain::from; empty: a fresh start
  std::vector<std::string> project_setup;             // set-up lines of the user's project, after the site's
  std::string environment;  // the variables of rv env, to be sourced by the job; empty: there are none
};

/// Resolves the runs that the job names, queries Slurm for the run to wait for, and puts their IDs into the job. Throws
/// Error where one is not known, or not in the state that the job needs.
ResolvedInputs resolve_inputs(templates::JobSpec& job, const Settings& settings);

/// The run that a script is of.
struct ScriptRun {
  std::string id;
  std::string folder;  // absolute
  std::string name;    // for people
};

/// A run called "preview", which does not exist, for a script that is only shown.
ScriptRun preview_run(const planner::Request& request, const templates::JobSpec& job, const Settings& settings);

/// The script of one strategy, which is number `candidate` (from 1) of its run. Throws Error(usage) for a segment that
/// leaves no time to work.
std::string order_script(const templates::JobSpec& job, const ResolvedInputs& inputs, const planner::Strategy& strategy,
                         int candidate, const Settings& settings, const ScriptRun& run);

}  // namespace rv::cli
