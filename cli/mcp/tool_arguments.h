// The arguments of a tool's call as a command line of rv.
#pragma once

#include <string>
#include <vector>

#include "cli/mcp/tools.h"

namespace rv::mcp {

/// Returns the arguments of rv for a call: the command, --json, the options, and the run or the command. The token is
/// left out. Throws Error(usage) for an argument that the tool does not have, with the nearest one that it has, for a
/// value of another type, and if a required argument is missing. `rv`: the tree of rv's commands.
std::vector<std::string> command_line(const Tool& tool, const Json& arguments, const CLI::App& rv);

}  // namespace rv::mcp
