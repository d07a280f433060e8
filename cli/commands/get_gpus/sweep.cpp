// rv sweep: one command with many values, measured.

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/hosts_options.h"
#include "cli/options/user_command.h"
#include "cli/sweep/sweep_compare.h"
#include "cli/sweep/sweep_load.h"

namespace rv::cli {
namespace {

constexpr auto footer =
    "Each point is a new process. While it runs, rv samples GPUs, processors and memory, and reads\n"
    "figures from its output: those that RSL-RL prints, or others with --metric. The same command\n"
    "continues an interrupted sweep and does not repeat finished points.\n"
    "Exit codes: 0 if every point ran or ran out of memory, otherwise 1.\n"
    "\n"
    "Examples:\n"
    "  rv sweep --over envs=1024,2048,4096 -g 1 -t h100 --time 1h -- python train.py --num_envs {envs}\n"
    "  rv sweep --local --over envs=1024 --find-max -- ./train --envs {envs}\n"
    "  rv sweep --over n=1,2,4 --metric 'loss=loss ([0-9.]+)' --throughput loss -- ./fit {n}\n"
    "  rv sweep --hosts h1,h2 --over envs=1024,2048 -- ./train --envs {envs}      the whole sweep on each\n"
    "  rv sweep compare sweep-h100 sweep-laptop      compare two sweeps";

/// Without --over the first argument can't be a program to vary.
bool compares(const SweepOptions& options, const Invocation& invocation) {
  const auto& words = invocation.user_command;
  return options.axes.empty() && !invocation.as_typed && !words.empty() && words.front() == "compare";
}

int act(const SweepOptions& options, const Invocation& invocation) {
  if (!options.drive.empty()) return drive_here(options.drive, options.worker_folder, invocation, options.one_point);
  const auto& typed = invocation.user_command;
  if (compares(options, invocation)) {
    if (typed.size() != 3) {
      throw Error("rv sweep compare takes the report folders of two sweeps",
                  "for example: rv sweep compare sweep-a sweep-b", ExitCode::usage);
    }
    return compare_sweeps(typed[1], typed[2], options.report_dir, invocation);
  }
  if (typed.empty()) {
    throw Error("the command to measure is missing",
                "write it after --, for example: rv sweep --over envs=1024,2048 -- ./train.sh --envs {envs}",
                ExitCode::usage);
  }
  check_slots(options.hosts, options.slots);
  const bool here = runs_here(options);
  if (here && options.job_per_point) {
    throw Error("--job-per-point needs Slurm, and this sweep runs on this machine",
                "remove --job-per-point, or request GPUs with -g", ExitCode::usage);
  }
  SweepLoad load(options, sweep_setup(options, invocation, here), invocation);
  if (!options.dry_run || (!here && !options.hosts)) return run_load(load);
  load.show();
  return 0;
}

bool belongs_here(const CLI::App& called) {
  return given(called, "--local") || given(called, "--hosts") || given(called, "--drive") || on_saved_cluster(called) ||
         !given(called, "--over");
}

bool starts(const CLI::App& called) {
  return !given(called, "--dry-run") && !given(called, "--no-sync");
}

void add_sweep(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = add_sweep_options(command);
  add_user_command(command, "the command, with {NAME} in place of the values of --over", /*required=*/false);
  hide_options(command, {"--nodes", "--single-node", "--splits", "--window"});
  set_footer(command, footer);
  set_callback(command, [=, &invocation, &action] { action = [=, &invocation] { return act(*options, invocation); }; });
}

}  // namespace

extern const Command sweep_command{
    .name = "sweep",
    .summary = "Run a command with many values, and measure each run",
    .group = groups::test_gpus,
    .common = {"over", "repeats", "metric", "throughput", "find-max", "gpu", "type", "time", "account", "device",
               "local", "hosts", "report-dir", "dry-run"},
    .stays_here = belongs_here,
    .needs_files = starts,
    .when_lost = run_continues,
    .add = add_sweep,
};

}  // namespace rv::cli
