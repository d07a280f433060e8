#include "cli/commands/commands.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace rv::cli {

// The commands, each defined in its own file, in the order of the help page. A macro, for that a name stands here once.
#define RV_COMMANDS(of)                                                                                           \
  of(up) of(run) of(map) of(rerun) of(shell) of(ssh) of(jupyter) of(accept) of(sweep) of(stress) of(ps) of(top)   \
      of(status) of(logs) of(wait) of(why) of(show) of(report) of(gpu) of(cost) of(forward) of(stop) of(pull)     \
          of(cluster) of(plan) of(nodes) of(render) of(init) of(gc) of(sync) of(notify) of(env) of(deps) of(exec) \
              of(mcp) of(completion)

#define RV_DECLARED(name) extern const Command name##_command;
RV_COMMANDS(RV_DECLARED)

std::span<const Command* const> all_commands() {
#define RV_ADDRESS(name) &name##_command,
  static constexpr std::array commands{RV_COMMANDS(RV_ADDRESS)};
  return commands;
}

std::vector<NearestCommand> nearest_commands() {
  std::vector<NearestCommand> found;
  for (const Command* command : all_commands()) {
    for (const auto word : command->nearest) {
      if (!word.empty()) found.push_back({word, command->name});
    }
  }
  return found;
}

const Command& command_named(std::string_view name) {
  const auto commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(), [&](const auto* one) { return one->name == name; });
  if (found == commands.end()) throw std::out_of_range("no command " + std::string(name));
  return **found;
}

}  // namespace rv::cli
