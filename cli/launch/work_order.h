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
  std::string why;                   // it is not what was typed; empty: it is
  std::vector<std::string> notes;    // what of the script is not used, for people
  int processes_per_node = 1;
  std::vector<std::string> outputs;
  std::shared_ptr<const CheckpointOptions> checkpoint;  // set: the command saves its state and runs in segments
  ArrayOption array;                                    // the command once for each element
  std::optional<AfterOption> after;                     // the run to wait for
  bool requeue = false;
  std::chrono::seconds unattended{0};  // a hold is given back when nobody was in it for so long; 0: it stays
  std::chrono::seconds idle_stop{0};   // … when none of its GPUs did anything for so long; 0: it stays
  bool joined_output = false;          // stderr goes where stdout goes, in the order of writing; else to its own file
  bool measures = false;               // what it runs times the GPUs: nothing looks at them beside it
  std::string notify_folder;           // whom to tell of the run's events; empty: nobody
  std::string notify_on;               // of which events; empty: as each target says

  std::vector<std::string> container;        // options of srun that start the command in a container
  std::vector<std::string> container_shell;  // opens a shell inside it; none: a shell of the node
  /// Writes what the command needs into the run's folder before anything is submitted.
  std::function<void(const monitor::RunFolder&)> prepare;

  bool hold() const { return command.empty(); }
};

/// How the words are to be started.
struct StartChoice {
  std::vector<std::string> interpreter;  // words before the command; none: as project/starting.h finds
  bool as_typed = false;                 // nothing is added
  bool in_container = false;             // the files that it finds may be others than those here
};

/// The user's words with everything else as it is when no option says otherwise; no words: hold. `notify`: the value of
/// --notify, or empty. Throws Error(usage) for a command that certainly can't start, and when --notify asks for
/// messages and there is no one to send them to.
WorkOrder plain_order(const std::vector<std::string>& words, const Settings& settings, const std::string& notify = "",
                      const StartChoice& start = {});

/// An argument vector as a shell takes it; of a shell line the line.
std::string shown_command(const std::vector<std::string>& argv);

/// The request's name, else the script's or program's, else "up".
std::string run_name(const planner::Request& request, const WorkOrder& order);

}  // namespace rv::cli
