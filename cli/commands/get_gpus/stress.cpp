// rv stress: many workers at once on GPUs, and the user's launcher on some of them.

#include "cli/commands/commands.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/hosts_options.h"
#include "cli/options/stress_options.h"
#include "cli/stress/stress_load.h"
#include "cli/stress/write_stress_verdict.h"

namespace rv::cli {
namespace {

constexpr auto footer =
    "Each worker is a process with its own load on one of the GPUs. rv checks that the workers did\n"
    "equal work and left nothing behind. With --launch it also runs your program on one GPU, on all, on\n"
    "none and on some of them, and checks its exit code, its messages and the GPUs that it used.\n"
    "Exit codes: 0 pass, 1 fail, 3 something could not be checked, 4 the workers don't fit, 77 no GPU,\n"
    "126 the launcher can't be executed, 127 the launcher does not exist.\n"
    "\n"
    "Examples:\n"
    "  rv stress -g 4 -t h100                        two workers per GPU, for a minute\n"
    "  rv stress -g 4 --workers 12 --duration 90 --memory 1G\n"
    "  rv stress -g 4 --skip-stress --launch 'python train.py --steps 10' --subset 0,2\n"
    "  rv stress --local --duration 15 --memory 64 --cleanup --junit stress.xml      for CI\n"
    "  rv stress --hosts rack.txt --launch ./train   over ssh, without Slurm\n"
    "  rv stress --local --device cpu --duration 5   to try it out";

int act(const StressOptions& options, const Invocation& invocation) {
  check_slots(options.hosts, options.slots);
  if (!options.dry_run) check_outputs(options);
  if (!options.judge.empty()) return judge_stress_again(options, invocation);
  StressLoad load(options, invocation);
  return run_load(load);
}

bool belongs_here(const CLI::App& called) {
  return given(called, "--local") || given(called, "--hosts") || on_saved_cluster(called);
}

bool starts(const CLI::App& called) {
  return given(called, "--launch") && !given(called, "--dry-run") && !given(called, "--no-sync");
}

void add_stress(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = add_stress_options(command);
  hide_options(command, {"--window"});
  set_footer(command, footer);
  set_callback(command, [=, &invocation, &action] { action = [=, &invocation] { return act(*options, invocation); }; });
}

}  // namespace

extern const Command stress_command{
    .name = "stress",
    .summary = "Load GPUs with many workers, and check balance and clean-up",
    .group = groups::test_gpus,
    .common = {"gpu", "type", "partition", "account", "workers", "duration", "memory", "launch", "subset", "local",
               "hosts", "junit", "report-dir", "dry-run"},
    .stays_here = belongs_here,
    .needs_files = starts,
    .when_lost = run_continues,
    .add = add_stress,
};

}  // namespace rv::cli
