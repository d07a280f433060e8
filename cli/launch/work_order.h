// A job as it is launched.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/settings/settings.h"
#include "monitor/run/run_folder.h"
#include "planner/cluster/request.h"
#include "templates/job_spec.h"

namespace rv::cli {

/// A job, and what only its launch needs.
struct WorkOrder {
  templates::JobSpec job;
  std::string why;                 // the command is not what was typed; empty: it is
  std::vector<std::string> notes;  // for people: parts of the script that are not used
  /// Writes what the command needs into the run's folder before anything is submitted.
  std::function<void(const monitor::RunFolder&)> prepare;
};

/// How to start the command.
struct StartChoice {
  std::vector<std::string> interpreter;  // words before the command; none: as cli/project/starting.h finds
  bool as_typed = false;                 // nothing is added
  bool in_container = false;             // the files that it finds may be others than those here
};

/// The command that the user typed, as `options` describe its job; no words: hold. `notify`: the value of --notify, or
/// empty. Throws Error(usage) for a command that certainly can't start, and when --notify asks for messages and there
/// there is no target.
WorkOrder plain_order(const std::vector<std::string>& words, const Settings& settings, const std::string& notify = "",
                      const StartChoice& start = {}, templates::JobSpec options = {});

/// An argument vector as a shell takes it; of a shell line the line.
std::string shown_command(const std::vector<std::string>& argv);

/// The request's name, else the script's or program's, else "up".
std::string run_name(const planner::Request& request, const templates::JobSpec& job);

}  // namespace rv::cli
