// rv run: a command on GPUs, at most once unless the user allows repeats.

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/commands/commands.h"
#include "cli/commands/get_gpus/run_options.h"
#include "cli/launch/launch_words.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_record.h"
#include "cli/options/user_command.h"
#include "cli/recipe/recipe.h"

namespace rv::cli {
namespace {

bool starts(const CLI::App& called) {
  return !given(called, "--dry-run") && !given(called, "--no-sync");
}

bool follows(const CLI::App& called) {
  return given(called, "--follow");
}

void check_sent(const CLI::App& /*called*/, const Invocation& invocation) {
  if (!invocation.as_typed) refuse_shell_stream(invocation.user_command);
}

/// The files of recipes: the one to read, and the one to write.
struct RecipeFiles {
  std::string from;
  std::string to;
};

bool stays_here(const CLI::App& called) {
  return on_saved_cluster(called) || given(called, "--save");
}

int save_recipe(const std::string& path, const Recipe& recipe, const Invocation& invocation) {
  os::write_file(path, recipe_text(recipe, [](CLI::App& app) { add_run_options(app); }), 0644);
  if (!invocation.json) fmt::print(stderr, "rv: wrote {0}; rv run --file {0} starts it\n", path);
  return 0;
}

/// The options and the command of a recipe, where those of the command line do not replace them.
int run_recipe(const RecipeFiles& files, const CLI::App& command, const Invocation& invocation) {
  const auto add = [](CLI::App& app) { add_run_options(app); };
  auto recipe = files.from.empty() ? Recipe{} : read_recipe(files.from, add);
  const auto options = overridden(recipe.options, options_given(command, {"--file", "--save"}));
  if (!invocation.user_command.empty()) recipe.command = invocation.user_command;
  if (recipe.command.empty()) {
    throw Error(fmt::format("{} has no command", files.from),
                "write it there, like command: python train.py, or after the options", ExitCode::usage);
  }
  std::optional<RunOptions> parsed;
  parse_options(options, [&](CLI::App& app) { parsed = add_run_options(app); });
  if (!files.to.empty()) {
    const auto saved = overridden(recipe.options, options_given(command, call_options()));
    return save_recipe(files.to, {saved, recipe.command}, invocation);
  }
  auto call = invocation;
  call.user_command = recipe.command;
  return run_words(*parsed, options, call);
}

void add_run(CLI::App& command, const Invocation& invocation, Action& action) {
  const auto options = add_run_options(command);
  auto files = std::make_shared<RecipeFiles>();
  add_option(command, "--file", files->from, "read options and command from a recipe").type_name("FILE");
  add_option(command, "--save", files->to, "write options and command to a recipe; submit nothing").type_name("FILE");
  add_user_command(command, "the command and its arguments, or a shell command as one argument", /*required=*/true);
  set_footer(command,
             "Examples:\n"
             "  rv run -g 4 -f torchrun --nproc_per_node=4 train.py\n"
             "  rv run -g 1 --time 10m check.py\n"
             "  rv run -g 1 --array 0-99%8 'python fit.py --seed $RV_ARRAY_INDEX'\n"
             "  rv run -g 0 --cpus 16 --mem 64G --name prepare 'python prepare.py'  without GPUs\n"
             "  rv run --file train.yaml -e SEED=7                                  a recipe\n"
             "  rv run -g 4 --after prepare python train.py\n"
             "  rv run --in box -g 1 -f python eval.py                              on a GPU that rv up holds\n"
             "  rv run -g 8 --nodes 2 -o results --name big 'python prepare.py && python train.py'");
  set_callback(command, [=, &command, &invocation, &action] {
    action = [=, &command, &invocation] {
      if (!files->from.empty() || !files->to.empty()) return run_recipe(*files, command, invocation);
      return run_words(options, options_given(command, {}), invocation);
    };
  });
}

}  // namespace

extern const Command run_command{
    .name = "run",
    .summary = "Run a command on GPUs, once",
    .group = groups::get_gpus,
    .common = {"gpu", "type", "time", "follow", "name", "nodes", "procs-per-node", "account", "partition", "output",
               "array", "after", "checkpoint", "dry-run"},
    .nearest = {"sbatch", "srun", "submit", "launch"},
    .stays_here = stays_here,
    .needs_files = starts,
    .follows = follows,
    .check_sent = check_sent,
    .resume = follow_run_again,
    .when_lost = run_continues,
    .add = add_run,
};

}  // namespace rv::cli
