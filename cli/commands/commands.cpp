#include "cli/commands/commands.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace rv::cli {

// Each is defined in its own file.
extern const Command up_command;
extern const Command run_command;
extern const Command shell_command;
extern const Command ssh_command;
extern const Command jupyter_command;
extern const Command accept_command;
extern const Command sweep_command;
extern const Command stress_command;
extern const Command ps_command;
extern const Command top_command;
extern const Command status_command;
extern const Command logs_command;
extern const Command wait_command;
extern const Command why_command;
extern const Command show_command;
extern const Command report_command;
extern const Command gpu_command;
extern const Command cost_command;
extern const Command forward_command;
extern const Command stop_command;
extern const Command pull_command;
extern const Command cluster_command;
extern const Command plan_command;
extern const Command render_command;
extern const Command init_command;
extern const Command gc_command;
extern const Command sync_command;
extern const Command notify_command;
extern const Command env_command;
extern const Command deps_command;
extern const Command exec_command;
extern const Command completion_command;

std::span<const Command* const> all_commands() {
  static constexpr std::array commands{
      &up_command,      &run_command,        &shell_command, &ssh_command,     &jupyter_command, &accept_command,
      &sweep_command,   &stress_command,     &ps_command,    &top_command,     &status_command,  &logs_command,
      &wait_command,    &why_command,        &show_command,  &report_command,  &gpu_command,     &cost_command,
      &forward_command, &stop_command,       &pull_command,  &cluster_command, &plan_command,    &render_command,
      &init_command,    &gc_command,         &sync_command,  &notify_command,  &env_command,     &deps_command,
      &exec_command,    &completion_command,
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
