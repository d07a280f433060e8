// rv shell: another shell in a run's allocation.

#include <CLI/CLI.hpp>

#include "cli/allocation_shell.h"
#include "cli/commands.h"
#include "cli/watch_runs.h"
#include "planner/error.h"

namespace rv::cli {

void add_shell(CLI::App& app, const Invocation& invocation, Action& action) {
  auto* command = app.add_subcommand("shell", "Open a shell on a run's GPUs; leaving it releases nothing");
  auto word = std::make_shared<std::string>();
  auto node = std::make_shared<std::string>();
  command->add_option("run", *word, "ID, unique beginning of an ID, or name (the newest run)");
  command->add_option("--node", *node, "on this node of the run instead of its first")->type_name("NODE");
  command->footer("Examples:\n  rv shell\n  rv shell k3f9x2 --node udc-an28-2");
  command->callback([=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = known_runs(invocation.settings);
      const auto run = word->empty() ? latest_run(runs) : resolve_run(runs, *word);
      const auto seen = see_runs({run});
      return open_shell(run.folder, seen.views.front(), *node);
    };
  });
}

}  // namespace rv::cli
