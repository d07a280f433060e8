// rv wait: until a run has its GPUs, or until it is over.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/os/interrupt.h"
#include "cli/commands/commands.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "cli/options/command_option.h"
#include "cli/options/run_word.h"

namespace rv::cli {

namespace {

void add_wait(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto word = add_run_word(command, "ID, name, or unique beginning of an ID (the newest run)");
  auto until_started = std::make_shared<bool>(false);
  add_flag(command, "--started", *until_started, "only until it has its GPUs; then the exit code is 0");
  set_footer(command, "Examples:\n  rv wait train && rv run -g 1 evaluate.py\n  rv wait --started");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      const auto run = named_or_latest(runs, *word);
      os::catch_interrupts();
      slurm::Gateway gateway;
      const auto followed =
          follow_run(run.folder, gateway, invocation,
                     {.until = *until_started ? Until::started : Until::over, .stream = false, .only_watch = true});
      if (followed.interrupted) return os::interrupt_exit_code();
      if (invocation.json) fmt::print("{}", json_text(run_json(run.record, followed.view)));
      if (*until_started && !monitor::is_final(followed.view.state)) return 0;
      if (!invocation.json) explain_end(run.folder, followed.view);
      return exit_code_of(followed.view);
    };
  });
}

}  // namespace

extern const Command wait_command{
    .name = "wait",
    .summary = "Wait until a run is over, and end with its exit code",
    .group = groups::follow_runs,
    .add = add_wait,
};

}  // namespace rv::cli
