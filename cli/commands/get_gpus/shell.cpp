// rv ssh and rv shell: a shell in a run's allocation. They are one: people look for either name.

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/options/run_word.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

void add_entering(CLI::App& app, const std::string& name, const std::string& description, const Invocation& invocation,
                  Action& action) {
  auto* command = app.add_subcommand(name, description);
  const auto word = add_run_word(*command, "ID, name, or unique beginning of an ID (the newest run)");
  auto node = std::make_shared<std::string>();
  command->add_option("--node", *node, "on this node of the run instead of its first")->type_name("NODE");
  command->footer("Without a terminal the shell reads its commands from stdin.\n\nExamples:\n  rv " + name + "\n  rv " +
                  name + " k3f9x2 --node udc-an28-2\n  echo nvidia-smi | rv " + name + " k3f9x2");
  command->callback([=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      const auto run = named_or_latest(runs, *word);
      const auto seen = monitor::see_runs({run});
      return monitor::open_shell(run.folder, seen.views.front(), *node, invocation.terminal);
    };
  });
}

}  // namespace

void add_shell(CLI::App& app, const Invocation& invocation, Action& action) {
  add_entering(app, "shell", "Open a shell on a run's GPUs; leaving it releases nothing", invocation, action);
}

void add_ssh(CLI::App& app, const Invocation& invocation, Action& action) {
  add_entering(app, "ssh", "The same as rv shell: a shell on a run's node", invocation, action);
}

}  // namespace rv::cli
