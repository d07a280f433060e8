// rv pull: a run's output files come here.

#include "cli/commands/commands.h"
#include "cli/commands/follow_runs/bring_files.h"
#include "cli/options/command_option.h"

namespace rv::cli {
namespace {

void add_pull(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<FilesToBring>();
  add_option(command, "run", options->run, "ID, name, or unique beginning of an ID").required();
  add_option(command, "destination", options->to, "destination folder (default: rv-output/RUN)");
  add_flag(command, "-n,--dry-run", options->dry_run, "only list what would be fetched");
  set_footer(command,
             "Output files are what rv run -o named and what the command wrote to $RV_OUTPUT_DIR. Files\n"
             "that are here already are not fetched again, and a broken transfer resumes.\n"
             "\n"
             "Examples:\n"
             "  rv pull k3f9x2\n"
             "  rv pull train results/");
  set_callback(command,
               [=, &invocation, &action] { action = [=, &invocation] { return bring_files(*options, invocation); }; });
}

}  // namespace

extern const Command pull_command{
    .name = "pull",
    .summary = "Fetch a run's output files",
    .group = groups::follow_runs,
    .example = "rv pull train (rv ps -a lists your runs)",
    .runs_on = RunsOn::here,
    .add = add_pull,
};

}  // namespace rv::cli
