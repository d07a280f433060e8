// rv ssh and rv shell: a shell in a run's allocation. They are one: people look for either name.

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/options/run_word.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

void add(CLI::App& command, const Invocation& invocation, Action& action) {
  const std::string name = command.get_name();
  const auto word = add_run_word(command, "ID, name, or unique beginning of an ID (the newest run)");
  auto node = std::make_shared<std::string>();
  command.add_option("--node", *node, "on this node of the run instead of its first")->type_name("NODE");
  command.footer("Without a terminal the shell reads its commands from stdin.\n\nExamples:\n  rv " + name + "\n  rv " +
                 name + " k3f9x2 --node udc-an28-2\n  echo nvidia-smi | rv " + name + " k3f9x2");
  command.callback([=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      const auto run = named_or_latest(runs, *word);
      const auto seen = monitor::see_runs({run});
      return monitor::open_shell(run.folder, seen.views.front(), *node, invocation.terminal);
    };
  });
}

}  // namespace

const Command shell_command{
    .name = "shell",
    .summary = "Open a shell on a run's GPUs; leaving it releases nothing",
    .group = groups::get_gpus,
    .add = add,
};

const Command ssh_command{
    .name = "ssh",
    .summary = "The same as rv shell: a shell on a run's node",
    .group = groups::get_gpus,
    .add = add,
};

}  // namespace rv::cli
