// Properties of a script that its author should know before it waits in a queue. They are never an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

/// The GPUs and nodes on which it will run.
struct ScriptPlace {
  std::string script;              // its name, for people
  std::vector<std::string> words;  // of the command, the launcher among them
  int nodes = 1;                   // the most that a candidate has
  int processes_per_node = 1;
  int cpus = 0;  // the fewest that a process has; 0: not known
};

/// One line each: a script without a process group on several nodes, a model that is spread over one node's GPUs on
/// several nodes, more workers of a data loader than CPUs. `text`: the script's.
std::vector<std::string> script_notes(std::string_view text, const ScriptPlace& place);

}  // namespace rv::project
