#include "cli/commands/commands.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace rv::cli {

std::span<const Command* const> all_commands() {
  static constexpr std::array commands{
      &up_command,     &run_command,        &shell_command, &ssh_command,  &accept_command,  &ps_command,
      &status_command, &logs_command,       &wait_command,  &why_command,  &show_command,    &gpu_command,
      &cost_command,   &forward_command,    &stop_command,  &pull_command, &cluster_command, &plan_command,
      &render_command, &init_command,       &gc_command,    &sync_command, &notify_command,  &env_command,
      &exec_command,   &completion_command,
  };
  return commands;
}

const Command& command_named(std::string_view name) {
  const auto commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(), [&](const auto* one) { return one->name == name; });
  if (found == commands.end()) throw std::out_of_range("no command " + std::string(name));
  return **found;
}

}  // namespace rv::cli
