// The tools: one table, from which the list for the client and the command lines of rv are made. Their options are
// those of rv's own commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/message.h"

namespace CLI {
class App;
}

namespace rv::mcp {

enum class Effect {
  reads,
  starts,  // a run, which counts against the budget
  stops,   // a run
};

struct Tool {
  const char* name;     // also the command of rv
  const char* purpose;  // for the agent
  Effect effect = Effect::reads;
  std::vector<std::string> options = {};   // long names of the command's options
  std::vector<std::string> required = {};  // arguments
  std::vector<std::string> defaults = {};  // options of rv for each call, before the call's own
  bool takes_run = false;                  // "run": a positional argument
  bool takes_command = false;              // "command": a shell command
};

/// Names of arguments that are not options of the command.
inline constexpr const char* run_argument = "run";
inline constexpr const char* command_argument = "command";
inline constexpr const char* token_argument = "token";

/// In the order of the list.
const std::vector<Tool>& tools();

/// Throws std::out_of_range for an unknown name.
const Tool& tool_named(std::string_view name);

/// The names of all its arguments.
std::vector<std::string> argument_names(const Tool& tool);

/// The tree of rv's commands that `command` belongs to.
const CLI::App& root_of(const CLI::App& command);

/// The result of tools/list. `rv`: the tree of rv's commands.
Json tool_list(const CLI::App& rv);

}  // namespace rv::mcp
