// rv up: get GPUs and hold them, with a shell, or run one command on them.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/os/host_name.h"
#include "base/os/interrupt.h"
#include "base/walltime.h"
#include "cli/commands/commands.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"
#include "cli/options/given.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/race/stop.h"

namespace rv::cli {
namespace {

struct UpOptions {
  std::shared_ptr<LaunchOptions> launch;
  std::string run;
  bool detach = false;
  bool keep = false;
};

const monitor::Candidate& winner_of(const monitor::RunView& view) {
  return view.candidates.at(static_cast<std::size_t>(*view.winner - 1)).candidate;
}

void say_what_is_held(const monitor::RunFolder& folder, const monitor::RunView& view) {
  const auto& winner = winner_of(view);
  fmt::print(stderr, "rv: {} ({}) is yours for {}, run {}\n", winner.summary, view.nodes,
             format_duration(winner.time_limit), folder.id());
  for (const auto& warning : view.warnings) fmt::print(stderr, "rv: warning: {}\n", warning);
}

void say_still_held(const monitor::RunFolder& folder) {
  fmt::print(stderr, "rv: run {} is still held; rv shell {} enters it, rv stop {} releases it\n", folder.id(),
             folder.id(), folder.id());
}

int release(const monitor::RunFolder& folder, slurm::Gateway& gateway) {
  const auto stopped = monitor::stop_run(folder, gateway, os::host_name());
  if (!stopped.trouble.empty()) {
    fmt::print(stderr, "rv: Slurm did not answer ({}); ", stopped.trouble);
    say_still_held(folder);
    return static_cast<int>(ExitCode::slurm);
  }
  fmt::print(stderr, "rv: released run {}\n", folder.id());
  return 0;
}

int hold(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation, bool detach,
         bool keep) {
  const auto followed =
      follow_run(folder, gateway, invocation, {.until = detach ? Until::accepted : Until::started, .stream = false});
  const auto& view = followed.view;
  if (followed.interrupted) {
    if (!monitor::is_final(view.state)) say_still_held(folder);
    return static_cast<int>(ExitCode::interrupted);
  }
  if (monitor::is_final(view.state)) {
    if (invocation.json) fmt::print("{}", json_text(run_json(folder.record(), view)));
    explain_end(folder, view);
    return exit_code_of(view);
  }
  if (view.winner) say_what_is_held(folder, view);
  const bool shell = invocation.terminal.in && invocation.terminal.out && !invocation.json && !detach;
  if (!shell) {
    if (invocation.json) {
      fmt::print("{}", json_text(run_json(folder.record(), view)));
    } else {
      fmt::print("{}\n", folder.id());
    }
    if (view.winner) {
      say_still_held(folder);
    } else {
      fmt::print(stderr, "rv: submitted as run {}; rv shell {} enters it once it has its GPUs, rv stop {} gives up\n",
                 folder.id(), folder.id(), folder.id());
    }
    return 0;
  }
  fmt::print(stderr, "rv: leaving this shell {}\n",
             keep ? "keeps the GPUs; rv stop releases them" : "releases the GPUs (rv up --keep keeps them)");
  const int code = monitor::open_shell(folder, view, "", invocation.terminal);
  if (keep) {
    say_still_held(folder);
    return code;
  }
  return release(folder, gateway);
}

bool starts(const CLI::App& called) {
  return given(called, "--run") && !given(called, "--dry-run") && !given(called, "--no-sync");
}

bool follows(const CLI::App& called) {
  return given(called, "--run") && !given(called, "--detach");
}

void add(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<UpOptions>();
  options->launch = add_launch_options(command);
  command.add_option("--run", options->run, "run this command line on the GPUs, stream its output, release them")
      ->type_name("CMD");
  command.add_flag("-d,--detach", options->detach, "print the run's ID and return; the GPUs are held");
  command.add_flag("--keep", options->keep, "keep the GPUs when the shell ends");
  command.footer(
      "Examples:\n"
      "  rv up --gpu 4 --time 30m                       a shell on four GPUs of any type\n"
      "  rv up -g 2 -t a100 -t h100 --dry-run           the ways to get them, ranked\n"
      "  rv up -g 4 --time 30m --run 'torchrun --nproc_per_node=4 train.py'");
  command.callback([=, &invocation, &action] {
    action = [=, &invocation] {
      const std::vector<std::string> words =
          options->run.empty() ? std::vector<std::string>() : std::vector<std::string>{options->run};
      const auto launched =
          launch(*options->launch, order_for(*options->launch, words, invocation.settings), invocation);
      if (!launched.folder) return launched.exit_code;
      os::catch_interrupts();  // of a run that another connection has started, too
      slurm::Gateway gateway;
      if (words.empty()) return hold(*launched.folder, gateway, invocation, options->detach, options->keep);
      if (options->detach) {
        const auto followed =
            follow_run(*launched.folder, gateway, invocation, {.until = Until::accepted, .stream = false});
        if (followed.interrupted) return after_interrupt(*launched.folder, followed);
        fmt::print("{}", invocation.json ? json_text(run_json(launched.folder->record(), followed.view))
                                         : launched.folder->id() + "\n");
        if (monitor::is_final(followed.view.state)) explain_end(*launched.folder, followed.view);
        return followed.view.state == monitor::RunState::refused ? exit_code_of(followed.view) : 0;
      }
      return follow_to_end(*launched.folder, gateway, invocation);
    };
  });
}

}  // namespace

const Command up_command{
    .name = "up",
    .summary = "Get GPUs: a shell on them, or one command",
    .group = groups::get_gpus,
    .stays_here = on_saved_cluster,
    .needs_files = starts,
    .follows = follows,
    .add = add,
};

}  // namespace rv::cli
