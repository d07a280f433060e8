// rv logs: a run's output.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/natural_order.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "cli/commands/commands.h"
#include "cli/commands/follow_runs/bring_files.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_loop.h"
#include "cli/launch/follow_run.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_values.h"
#include "cli/options/run_word.h"
#include "cli/options/value_option.h"
#include "cli/views/race_display.h"
#include "monitor/run/run_facts.h"

namespace rv::cli {
namespace {

/// n2 before n10, and of a node what it wrote to stdout first.
struct ByNode {
  bool operator()(const std::pair<std::string, bool>& a, const std::pair<std::string, bool>& b) const {
    return a.first == b.first ? a.second < b.second : NaturalOrder()(a.first, b.first);
  }
};

struct LogOptions {
  RunWord run;
  bool follow = false;
  bool raw = false;
  bool pull = false;
  std::string to;
  remote::OutputChoice choice;
};

// One stream of a run that writes both as one.
void refuse_joined(const monitor::KnownRun& run, const LogOptions& options, bool separate_stderr, int nodes) {
  if (separate_stderr || nodes == 0 || (!options.choice.only_err && !options.choice.only_out)) return;
  throw Error("run " + run.record.id + " wrote stdout and stderr as one, in the order of writing",
              "rv logs " + run.record.id + " shows both; rv run --separate-stderr keeps them apart", ExitCode::usage);
}

// The batch scripts' own words, for a run whose command never had any.
void print_slurm_logs(const monitor::KnownRun& run) {
  for (const auto& candidate : run.record.candidates) {
    const auto log = os::read_file(run.folder.file("candidates/" + std::to_string(candidate.number) + "/slurm.log"));
    if (log && !log->empty()) fmt::print(stderr, "{}", *log);
  }
}

/// The same as one document: what each file holds, stdout before stderr.
int print_logs_json(const monitor::KnownRun& run, const LogOptions& options) {
  monitor::LogFollower logs(run.folder.path() + "/logs", options.choice.node);
  if (options.choice.tail >= 0) logs.start_at_tail(options.choice.tail);
  refuse_joined(run, options, logs.separate_stderr(), logs.nodes());
  std::map<std::pair<std::string, bool>, std::string, ByNode> texts;
  const monitor::LogSink sink = [&](monitor::Stream stream, std::string_view node, std::string_view text) {
    const bool err = stream == monitor::Stream::err;
    if (err ? !options.choice.only_out : !options.choice.only_err) texts[{std::string(node), err}] += text;
  };
  while (logs.drain(sink)) continue;
  auto list = nlohmann::ordered_json::array();
  for (const auto& [key, text] : texts) {
    list.push_back({{"node", key.first}, {"stream", key.second ? "stderr" : "stdout"}, {"text", text}});
  }
  fmt::print("{}", json_text({{"run", run.record.id}, {"output", list}}));
  return 0;
}

// All that there is now. False when Ctrl-C came between.
bool show_what_is_there(remote::RunOutput& output) {
  output.begin(output.nodes() > 1);
  while (output.drain()) {
    if (os::take_interrupt()) return false;
  }
  output.flush();  // here, where a full disk is still an error
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
  RaceDisplay display(invocation.terminal, "ends the watching");
  output.before_each([&] { display.clear(); });
  const auto waits = [&](const monitor::RunView& view, FollowLoop::Clock::duration followed) {
    if (view.winner || followed <= std::chrono::milliseconds(700)) return display.clear();
    display.show(run.record, view, loop.watcher().trouble(),
                 std::chrono::duration_cast<std::chrono::seconds>(followed));
  };
  const auto left = loop.run({.several = several, .reached = over, .looked = waits});
  display.clear();
  if (left != FollowLoop::Left::reached) return os::interrupt_exit_code();
  if (!invocation.json) explain_end(run.folder, loop.watcher().views().front());
  return 0;
}

int show_logs(const monitor::KnownRun& run, const LogOptions& options, const Invocation& invocation) {
  if (invocation.json && options.follow) {
    throw Error("rv logs -f has no JSON form", "leave out -f, or --json", ExitCode::usage);
  }
  if (invocation.json) return print_logs_json(run, options);
  auto choice = options.choice;
  choice.bars = options.raw ? monitor::Bars::as_drawn : options.follow ? monitor::Bars::live : monitor::Bars::folded;
  remote::RunOutput output(run.folder.path(), invocation.hop, invocation.settings.home, choice);
  refuse_joined(run, options, output.separate_stderr(), output.nodes());
  if (options.follow) return follow_logs(run, options, output, invocation);
  if (!show_what_is_there(output)) return os::interrupt_exit_code();
  if (monitor::copy_is_open(monitor::read_facts(run.folder))) {
    fmt::print(stderr,
               "rv: the command has ended; its output (--output) is being copied, or was cut off: see rv show {}\n",
               run.record.id);
  }
  if (output.nodes() > 0) return 0;
  if (!options.choice.node.empty()) {
    throw Error("run " + run.record.id + " has no output from a node called " + options.choice.node,
                "rv show " + run.record.id + " names its nodes", ExitCode::no_such_run);
  }
  fmt::print(stderr, "rv: run {} has no output yet\n", run.record.id);
  print_slurm_logs(run);
  return 0;
}

// Their files are brought to this machine, whatever login node they are on.
bool brings_files(const CLI::App& called) {
  return given(called, "--pull");
}

int pull_logs(const LogOptions& options, const Invocation& invocation) {
  if (!*options.run) {
    throw Error("rv logs --pull needs a run", "name one: rv logs --pull ID; rv ps lists them", ExitCode::usage);
  }
  return bring_files({.run = **options.run, .files = sync::Place::logs, .to = options.to}, invocation);
}

bool follows(const CLI::App& called) {
  return given(called, "--follow");
}

void add_logs(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<LogOptions>();
  options->run = add_run_word(command, "ID, name, or unique beginning of an ID (the newest run)");
  add_flag(command, "-f,--follow", options->follow, "go on until the run is over");
  const auto out = add_flag(command, "--out", options->choice.only_out,
                            "only what it wrote to stdout, where the run keeps the two apart");
  add_flag(command, "--err", options->choice.only_err,
           "only what it wrote to stderr, where the run keeps the two apart")
      .excludes(out);
  add_option(command, "--node", options->choice.node, "only this node's").type_name("NODE");
  add_value(command, "--tail", options->choice.tail, count_from(0, 1'000'000'000), "only the last N lines of each file")
      .type_name("N");
  add_flag(command, "--raw", options->raw, "byte for byte: leave progress bars as they were drawn, state after state");
  const auto pull = add_flag(command, "--pull", options->pull, "bring the files here instead of showing them");
  add_option(command, "--to", options->to, "the folder that --pull brings them to (rv-output/RUN/logs)")
      .type_name("FOLDER")
      .needs(pull);
  set_footer(command,
             "Examples:\n  rv logs\n  rv logs -f train\n  rv logs k3f9x2 --err --tail 20\n  rv logs --pull k3f9x2");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (options->pull) return pull_logs(*options, invocation);
      const auto runs = monitor::known_runs(invocation.settings.runs_folder());
      // "The newest run" must stay the same one over a lost connection.
      if (invocation.hop && !invocation.hop->resume.run.empty()) *options->run = invocation.hop->resume.run;
      return show_logs(named_or_latest(runs, *options->run), *options, invocation);
    };
  });
}

}  // namespace

extern const Command logs_command{
    .name = "logs",
    .summary = "Show a run's output",
    .group = groups::follow_runs,
    .stays_here = brings_files,
    .follows = follows,
    .add = add_logs,
};

}  // namespace rv::cli
