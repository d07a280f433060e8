// rv run: a command on GPUs, exactly once.

#include "cli/commands/commands.h"
#include "cli/commands/get_gpus/run_options.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_record.h"
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
  const auto options = add_run_options(command);
  add_user_command(command, "the command and its arguments, or a shell line as one argument", /*required=*/true);
  set_footer(command,
             "Examples:\n"
             "  rv run -g 4 -f torchrun --nproc_per_node=4 train.py\n"
             "  rv run -g 1 --mig --time 10m check.py\n"
             "  rv run -g 1 --array 0-99%8 'python fit.py --seed $RV_ARRAY_INDEX'\n"
             "  rv run -g 0 -c 16 --mem 64G --name prepare 'python prepare.py'     without GPUs\n"
             "  rv run -g 4 --after prepare:ok python train.py\n"
             "  rv run -g 8 --nodes 2 -o results --name big 'python prepare.py && python train.py'");
  set_callback(command, [=, &command, &invocation, &action] {
    action = [=, &command, &invocation] {
      return run_words(options, options_given(command, {}), options_given(command, options_of_call()), invocation);
    };
  });
}

}  // namespace

extern const Command run_command{
    .name = "run",
    .summary = "Run a command on GPUs, exactly once",
    .group = groups::get_gpus,
    .common = {"gpu", "type", "time", "follow", "name", "nodes", "procs-per-node", "account", "partition", "output",
               "array", "after", "checkpoint", "dry-run"},
    .nearest = {"sbatch", "srun", "submit", "launch"},
    .stays_here = on_saved_cluster,
    .needs_files = starts,
    .follows = follows,
    .add = add_run,
};

}  // namespace rv::cli
