// rv logs: a run's output.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "cli/commands/commands.h"
#include "cli/launch/follow_loop.h"
#include "cli/launch/follow_run.h"
#include "cli/options/given.h"
#include "cli/options/run_word.h"

namespace rv::cli {
namespace {

struct LogOptions {
  RunWord run;
  bool follow = false;
  remote::OutputChoice choice;
};

// The batch scripts' own words, for a run whose command never had any.
void print_slurm_logs(const monitor::KnownRun& run) {
  for (const auto& candidate : run.record.candidates) {
    const auto log = os::read_file(run.folder.file("candidates/" + std::to_string(candidate.number) + "/slurm.log"));
    if (log && !log->empty()) fmt::print(stderr, "{}", *log);
  }
}

// All that there is now. False when Ctrl-C came between.
bool show_what_is_there(remote::RunOutput& output) {
  output.begin(output.nodes() > 1);
  while (output.drain()) {
    if (os::take_interrupt()) return false;
  }
  return true;
}

int follow_logs(const monitor::KnownRun& run, const LogOptions& options, remote::RunOutput& output,
                const Invocation& invocation) {
  os::catch_interrupts();
  slurm::Gateway gateway;
  FollowLoop loop(gateway, run.folder, output, std::chrono::milliseconds(500));
  const auto several = [&](const monitor::RunView& view) -> std::optional<bool> {
    if (!options.choice.node.empty()) return false;
    return comes_from_several(run.record, view, output.nodes());
  };
  const auto over = [](const monitor::RunView& view) { return monitor::is_final(view.state); };
  const auto left = loop.run({.several = several, .reached = over, .looked = {}});
  if (left != FollowLoop::Left::reached) return static_cast<int>(ExitCode::interrupted);
  if (!invocation.json) explain_end(run.folder, loop.watcher().views().front());
  return 0;
}

int show_logs(const monitor::KnownRun& run, const LogOptions& options, const Invocation& invocation) {
  remote::RunOutput output(run.folder.path(), invocation.hop, invocation.settings.home, options.choice);
  if (options.follow) return follow_logs(run, options, output, invocation);
  if (!show_what_is_there(output)) return static_cast<int>(ExitCode::interrupted);
  if (output.nodes() > 0) return 0;
  if (!options.choice.node.empty()) {
    throw Error("run " + run.record.id + " has no output from a node called " + options.choice.node,
                "rv show " + run.record.id + " names its nodes", ExitCode::no_such_run);
  }
  fmt::print(stderr, "rv: run {} has no output yet\n", run.record.id);
  print_slurm_logs(run);
  return 0;
}

bool follows(const CLI::App& called) {
  return given(called, "--follow");
}

void add(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<LogOptions>();
  options->run = add_run_word(command, "ID, name, or unique beginning of an ID (the newest run)");
  command.add_flag("-f,--follow", options->follow, "go on until the run is over");
  auto* out = command.add_flag("--out", options->choice.only_out, "only what it wrote to stdout");
  command.add_flag("--err", options->choice.only_err, "only what it wrote to stderr")->excludes(out);
  command.add_option("--node", options->choice.node, "only this node's")->type_name("NODE");
  command.add_option("--tail", options->choice.tail, "only the last N lines of each file")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command.footer("Examples:\n  rv logs\n  rv logs -f train\n  rv logs k3f9x2 --err --tail 20");
  command.callback([=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      // "The newest run" must stay the same one over a lost connection.
      if (invocation.hop && !invocation.hop->resume.run.empty()) *options->run = invocation.hop->resume.run;
      return show_logs(named_or_latest(runs, *options->run), *options, invocation);
    };
  });
}

}  // namespace

const Command logs_command{
    .name = "logs",
    .summary = "Show a run's output",
    .group = groups::follow_runs,
    .follows = follows,
    .add = add,
};

}  // namespace rv::cli
