// rv logs: a run's output.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "cli/commands/commands.h"
#include "cli/launch/follow_run.h"
#include "cli/options/run_word.h"
#include "monitor/follow/output_writer.h"
#include "monitor/follow/poll_interval.h"
#include "monitor/race/watcher.h"
#include "monitor/run/run_facts.h"
#include "remote/hop/follow_channel.h"
#include "remote/hop/login_side.h"

namespace rv::cli {
namespace {

struct LogOptions {
  RunWord run;
  bool follow = false;
  bool only_out = false;
  bool only_err = false;
  std::string node;
  int tail = -1;
};

// The batch scripts' own words, for a run whose command never had any.
void print_slurm_logs(const monitor::KnownRun& run) {
  for (const auto& candidate : run.record.candidates) {
    const auto log = os::read_file(run.folder.file("candidates/" + std::to_string(candidate.number) + "/slurm.log"));
    if (log && !log->empty()) fmt::print(stderr, "{}", *log);
  }
}

int show_logs(const monitor::KnownRun& run, const LogOptions& options, const Invocation& invocation) {
  monitor::LogFollower logs(run.folder.file("logs"), options.node);
  if (options.tail >= 0) logs.start_at_tail(options.tail);
  if (options.follow) os::catch_interrupts();
  monitor::OutputWriter output(logs.nodes() > 1, os::interrupt_waits);
  // With one stream asked for by name, it is the answer and goes to stdout.
  if (options.only_err) output.all_to_stdout();
  std::optional<remote::FollowChannel> channel;
  if (invocation.hop && invocation.hop->follows) {
    channel.emplace(*invocation.hop);
    channel->follow(run.folder.id(), remote::notes_folder(invocation.settings.home));
    channel->begin_output(logs.nodes() > 1, options.only_err);
    if (channel->resumed()) channel->resume(logs);
  }
  const auto sink = [&](monitor::Stream stream, std::string_view node, std::string_view text) {
    const bool wanted = stream == monitor::Stream::out ? !options.only_err : !options.only_out;
    if (!wanted) return;
    if (channel) {
      channel->write(stream, node, text, logs.offset_of(stream, node));
    } else {
      output.write(stream, node, text);
    }
  };
  const auto interrupted = static_cast<int>(ExitCode::interrupted);
  while (logs.drain(sink)) {
    if (os::take_interrupt()) return interrupted;
  }
  if (!options.follow) {
    if (logs.nodes() == 0 && !options.node.empty()) {
      throw Error("run " + run.record.id + " has no output from a node called " + options.node,
                  "rv show " + run.record.id + " names its nodes", ExitCode::no_such_run);
    }
    if (logs.nodes() == 0) {
      fmt::print(stderr, "rv: run {} has no output yet\n", run.record.id);
      print_slurm_logs(run);
    }
    return 0;
  }
  slurm::Gateway gateway;
  monitor::Watcher watcher(gateway, {run.folder});
  monitor::PollInterval tick(std::chrono::milliseconds(500));
  while (true) {
    const auto now = monitor::PollInterval::Clock::now();
    const bool ask = tick.due(now);
    const auto view = watcher.look(ask).front();
    if (ask) tick.asked(now, monitor::PollInterval::Clock::now(), watcher.changed());
    // What was written before the end was seen is all there is.
    const bool over = monitor::is_final(view.state);
    const bool any = over ? logs.drain(sink) : logs.poll(sink);
    if (os::take_interrupt()) return interrupted;
    if (over && !any) {
      output.flush();
      if (os::take_interrupt()) return interrupted;
      if (!invocation.json) explain_end(run.folder, view);
      return 0;
    }
    if (!any) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace

void add_logs(CLI::App& app, const Invocation& invocation, Action& action) {
  auto* command = app.add_subcommand("logs", "Show a run's output");
  auto options = std::make_shared<LogOptions>();
  options->run = add_run_word(*command, "ID, name, or unique beginning of an ID (the newest run)");
  command->add_flag("-f,--follow", options->follow, "go on until the run is over");
  auto* out = command->add_flag("--out", options->only_out, "only what it wrote to stdout");
  command->add_flag("--err", options->only_err, "only what it wrote to stderr")->excludes(out);
  command->add_option("--node", options->node, "only this node's")->type_name("NODE");
  command->add_option("--tail", options->tail, "only the last N lines of each file")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command->footer("Examples:\n  rv logs\n  rv logs -f train\n  rv logs k3f9x2 --err --tail 20");
  command->callback([=, &invocation, &action] {
    action = [=, &invocation] {
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      // "The newest run" must stay the same one over a lost connection.
      if (invocation.hop && !invocation.hop->resume.run.empty()) *options->run = invocation.hop->resume.run;
      return show_logs(named_or_latest(runs, *options->run), *options, invocation);
    };
  });
}

}  // namespace rv::cli
