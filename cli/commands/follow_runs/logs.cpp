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
#include "cli/commands/follow_runs/follow_several.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_loop.h"
#include "cli/launch/follow_run.h"
#include "cli/map/task_output.h"
#include "cli/options/array_option.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_values.h"
#include "cli/options/run_argument.h"
#include "cli/options/value_option.h"
#include "cli/use/end_line.h"
#include "cli/views/race_display.h"
#include "monitor/run/run_facts.h"
#include "monitor/tasks/task_list.h"

namespace rv::cli {
namespace {

/// n2 before n10, and of a node what it wrote to stdout first.
struct ByNode {
  bool operator()(const std::pair<std::string, bool>& a, const std::pair<std::string, bool>& b) const {
    return a.first == b.first ? a.second < b.second : NaturalOrder()(a.first, b.first);
  }
};

struct LogOptions {
  RunArguments runs;
  bool follow = false;
  bool raw = false;
  bool pull = false;
  std::string to;
  bool failed = false;
  std::optional<int> task;
  remote::OutputChoice choice;
};

/// Puts the elements that are meant into the choice: those of --element, of a job ID such as 4711_3, or the failed
/// ones.
void choose_elements(const monitor::KnownRun& run, LogOptions& options) {
  auto& elements = options.choice.logs.elements;
  if (!elements && options.runs->size() == 1) elements = element_of_job(options.runs->front(), run.record);
  if (elements) check_elements(run.record, *elements);
  if (!options.failed) return;
  if (!run.record.job.array) {
    throw Error("--failed: run " + run.record.id + " is not an array", "rv logs " + run.record.id + " shows its output",
                ExitCode::usage);
  }
  const auto facts = monitor::read_facts(run.folder);
  elements = monitor::unsuccessful_indices(facts.elements, run.record.job.array->elements, facts.outcome.has_value());
}

// One stream of a run that writes both as one.
void refuse_joined(const monitor::KnownRun& run, const LogOptions& options, bool separate_stderr, int nodes) {
  if (separate_stderr || nodes == 0 || (!options.choice.only_err && !options.choice.only_out)) return;
  throw Error("run " + run.record.id + " has stdout and stderr in one file, in the order of writing",
              "rv logs " + run.record.id + " shows both; rv run --separate-stderr writes two files", ExitCode::usage);
}

// The output of the batch scripts, for a run whose command wrote none.
void print_slurm_logs(const monitor::KnownRun& run) {
  for (const auto& candidate : run.record.candidates) {
    const auto log = os::read_file(run.folder.file("candidates/" + std::to_string(candidate.number) + "/slurm.log"));
    if (log && !log->empty()) fmt::print(stderr, "{}", *log);
  }
}

/// The same as one JSON document: the content of each file, stdout before stderr.
int print_logs_json(const monitor::KnownRun& run, const LogOptions& options) {
  monitor::LogFollower logs(run.folder.path() + "/logs", options.choice.logs);
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
    if (!options.choice.logs.node.empty() && !options.choice.logs.elements) return false;
    return comes_from_several(run.record, view, output.nodes(), options.choice.logs.elements);
  };
  const auto over = [](const monitor::RunView& view) { return monitor::is_final(view.state); };
  RaceDisplay display(invocation.terminal, "stops following");
  output.before_each([&] { display.clear(); });
  const auto waits = [&](const monitor::RunView& view, FollowLoop::Clock::duration followed) {
    if (view.winner || followed <= std::chrono::milliseconds(700)) return display.clear();
    display.show(run.record, view, loop.watcher().trouble(),
                 std::chrono::duration_cast<std::chrono::seconds>(followed));
  };
  const auto left = loop.run({.several = several, .reached = over, .looked = waits});
  display.clear();
  if (left != FollowLoop::Left::reached) return os::interrupt_exit_code();
  if (invocation.json) return 0;
  explain_end(run.folder, loop.watcher().views().front(), invocation.terminal);
  print_use(run.folder, loop.watcher().views().front());
  return 0;
}

int show_logs(const monitor::KnownRun& run, LogOptions options, const Invocation& invocation) {
  if (options.task) return show_task_output(run, *options.task, invocation);
  if (invocation.json && options.follow) {
    throw Error("-f and --json can't be combined", "remove one of them", ExitCode::usage);
  }
  choose_elements(run, options);
  if (invocation.json) return print_logs_json(run, options);
  auto choice = options.choice;
  choice.bars = options.raw ? monitor::Bars::as_drawn : options.follow ? monitor::Bars::live : monitor::Bars::folded;
  remote::RunOutput output(run.folder.path(), invocation.hop, invocation.settings.home, choice);
  refuse_joined(run, options, output.separate_stderr(), output.nodes());
  if (options.follow) return follow_logs(run, options, output, invocation);
  if (!show_what_is_there(output)) return os::interrupt_exit_code();
  if (monitor::copy_is_open(monitor::read_facts(run.folder))) {
    fmt::print(stderr,
               "rv: the command has ended; its output (--output) is being copied, or the copy was interrupted: see rv "
               "show {}\n",
               run.record.id);
  }
  if (output.nodes() > 0) return 0;
  if (options.failed && options.choice.logs.elements->empty()) {
    fmt::print(stderr, "rv: no element of run {} has failed\n", run.record.id);
    return 0;
  }
  if (options.choice.logs.elements) {
    fmt::print(stderr, "rv: run {} has no output yet of {}\n", run.record.id,
               monitor::elements_in_words(*options.choice.logs.elements));
    return 0;
  }
  if (!options.choice.logs.node.empty()) {
    throw Error("run " + run.record.id + " has no output of node " + options.choice.logs.node,
                "rv show " + run.record.id + " lists its nodes", ExitCode::no_such_run);
  }
  fmt::print(stderr, "rv: run {} has no output yet\n", run.record.id);
  print_slurm_logs(run);
  return 0;
}

// The files are copied to this machine from any login node.
bool brings_files(const CLI::App& called) {
  return given(called, "--pull");
}

int pull_logs(const LogOptions& options, const Invocation& invocation) {
  if (options.runs->size() != 1) {
    throw Error("rv logs --pull needs a run", "write rv logs --pull RUN; rv ps lists the runs", ExitCode::usage);
  }
  return bring_files({.run = options.runs->front(), .files = sync::RsyncTarget::logs, .to = options.to}, invocation);
}

/// The channel to a laptop follows one run; of several the lines come as they are.
bool follows(const CLI::App& called) {
  return given(called, "--follow") && given_texts(called, "run").size() <= 1;
}

int show_several(const std::vector<monitor::KnownRun>& runs, const LogOptions& options, const Invocation& invocation) {
  if (options.choice.logs.elements || options.failed || options.task || invocation.json) {
    throw Error("--element, --failed, --task and --json need one run", "call rv logs once for each run",
                ExitCode::usage);
  }
  auto choice = options.choice;
  choice.bars = options.raw ? monitor::Bars::as_drawn : monitor::Bars::folded;
  return options.follow ? follow_output_of_several(runs, choice, invocation) : show_output_of_several(runs, choice);
}

void add_logs(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<LogOptions>();
  options->runs = add_run_arguments(command, "IDs, names, or unique beginnings of IDs (default: the newest run)");
  add_flag(command, "-f,--follow", options->follow, "follow the output until the run is over");
  const auto failed =
      add_flag(command, "--failed", options->failed, "only the output of an array's elements that did not succeed")
          .excludes("--follow");
  const auto out = add_flag(command, "--out", options->choice.only_out, "only stdout (with rv run --separate-stderr)");
  add_flag(command, "--err", options->choice.only_err, "only stderr (with rv run --separate-stderr)").excludes(out);
  add_option(command, "--node", options->choice.logs.node, "only the output of this node").type_name("NODE");
  add_element_option(command, options->choice.logs.elements, "only the output of these elements of an array")
      .excludes(failed);
  add_value(command, "--task", options->task, count_from(1, monitor::most_tasks),
            "only the output of this task of rv map, of all its attempts")
      .type_name("N")
      .excludes("--follow");
  add_value(command, "--tail", options->choice.tail, count_from(0, 1'000'000'000), "only the last N lines of each file")
      .type_name("N");
  add_flag(command, "--raw", options->raw, "byte for byte, including every state of a progress bar");
  const auto pull = add_flag(command, "--pull", options->pull, "fetch the files instead of showing them");
  add_option(command, "--to", options->to, "folder for --pull (default: rv-output/RUN/logs)")
      .type_name("FOLDER")
      .needs(pull);
  set_footer(command,
             "Examples:\n  rv logs\n  rv logs -f train\n  rv logs -f train evaluate\n  rv logs k3f9x2 --err --tail "
             "20\n  rv logs --pull k3f9x2");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (options->pull) return pull_logs(*options, invocation);
      const auto runs = monitor::runs_in(invocation.settings.runs_folder());
      // "The newest run" must stay the same one over a lost connection.
      if (invocation.hop && !invocation.hop->resume.run.empty()) *options->runs = {invocation.hop->resume.run};
      const auto named = named_or_latest(runs, options->runs);
      return named.size() > 1 ? show_several(named, *options, invocation)
                              : show_logs(named.front(), *options, invocation);
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
