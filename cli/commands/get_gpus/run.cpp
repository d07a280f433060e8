// rv run: a command on GPUs, exactly once.

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/user_command.h"

namespace rv::cli {
namespace {

bool starts(const CLI::App& called) {
  return !given(called, "--dry-run") && !given(called, "--no-sync");
}

bool follows(const CLI::App& called) {
  return given(called, "--follow");
}

void add_run(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = add_launch_options(command);
  add_container_options(command, options->container);
  auto follow = std::make_shared<bool>(false);
  add_flag(command, "-f,--follow", *follow, "stream its output and end with its exit code");
  add_output_options(command, *options);
  add_array_option(command, *options);
  add_user_command(command, "The command and its arguments, or one word with a shell line", /*required=*/true);
  set_footer(command,
             "Examples:\n"
             "  rv run -g 4 -f torchrun --nproc_per_node=4 train.py\n"
             "  rv run -g 1 --mig --time 10m check.py\n"
             "  rv run -g 1 --array 0-99%8 'python fit.py --seed $RV_ARRAY_INDEX'\n"
             "  rv run -g 4 --after prepare:ok python train.py\n"
             "  rv run -g 8 --nodes 2 -o results --name big 'python prepare.py && python train.py'");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      auto order = order_for(*options, invocation.user_command, invocation);
      order.job.joined_output = joins_output(*options, *follow, invocation.terminal);
      const auto launched = launch(*options, order, invocation);
      if (!launched.folder) return launched.exit_code;
      const auto& folder = *launched.folder;
      slurm::Gateway gateway;
      return *follow ? follow_to_end(folder, gateway, invocation, options->bars)
                     : attend(folder, gateway, invocation, {.detach = true}).exit_code.value_or(0);
    };
  });
}

}  // namespace

extern const Command run_command{
    .name = "run",
    .summary = "Run a command on GPUs, exactly once",
    .group = groups::get_gpus,
    .nearest = {"sbatch", "srun", "submit", "launch"},
    .stays_here = on_saved_cluster,
    .needs_files = starts,
    .follows = follows,
    .add = add_run,
};

}  // namespace rv::cli
