// rv wait: until runs have their GPUs, or until they are over.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/os/interrupt.h"
#include "cli/commands/commands.h"
#include "cli/commands/follow_runs/follow_several.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "cli/options/command_option.h"
#include "cli/options/run_argument.h"
#include "cli/use/end_line.h"

namespace rv::cli {

namespace {

void add_wait(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto words = add_run_arguments(command, "IDs, names, or unique beginnings of IDs (default: the newest run)");
  auto until_started = std::make_shared<bool>(false);
  add_flag(command, "--started", *until_started, "wait only until the run has its GPUs, and return 0");
  auto any = std::make_shared<bool>(false);
  add_flag(command, "--any", *any, "wait only until the first of several runs is over, and print its ID");
  set_footer(command,
             "Of several runs, the exit code is the first that is not 0, in the order given.\n\n"
             "Examples:\n  rv wait train && rv run -g 1 evaluate.py\n  rv wait --started\n  rv wait --any a b c");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::runs_in(invocation.settings.runs_folder());
      const auto named = named_or_latest(runs, words);
      if (named.size() > 1 || *any) return wait_for_several(named, {*until_started, *any}, invocation);
      const auto& run = named.front();
      os::catch_interrupts();
      slurm::Gateway gateway;
      const auto followed =
          follow_run(run.folder, gateway, invocation,
                     {.until = *until_started ? Until::started : Until::over, .stream = false, .only_watch = true});
      if (followed.interrupted) return os::interrupt_exit_code();
      if (invocation.json) fmt::print("{}", json_text(run_json(run.record, followed.view)));
      if (*until_started && !monitor::is_final(followed.view.state)) return 0;
      if (!invocation.json) {
        explain_end(run.folder, followed.view, invocation.terminal);
        print_use(run.folder, followed.view);
      }
      return exit_code_of(followed.view);
    };
  });
}

}  // namespace

extern const Command wait_command{
    .name = "wait",
    .summary = "Wait until a run is over, and return its exit code",
    .group = groups::follow_runs,
    .add = add_wait,
};

}  // namespace rv::cli
