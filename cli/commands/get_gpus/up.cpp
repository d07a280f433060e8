// rv up: get GPUs and hold them, with a shell, or run one command on them.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/border/checked_name.h"
#include "base/os/interrupt.h"
#include "cli/commands/commands.h"
#include "cli/json/run_json.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"
#include "cli/launch/launch_words.h"
#include "cli/open/held_run.h"
#include "cli/open/opener.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_record.h"
#include "cli/options/option_values.h"
#include "cli/options/user_command.h"
#include "cli/options/value_option.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/race/watcher.h"

namespace rv::cli {
namespace {

struct UpOptions {
  std::shared_ptr<LaunchOptions> launch;
  std::string run;
  std::vector<std::string> open;  // arguments of --open
  bool detach = false;
  bool keep = false;
};

using namespace std::chrono_literals;

constexpr const char* instead = "rv run CMD runs a command on GPUs; so does rv up --run 'CMD'";

/// For a held run with a shell on a terminal: a lost connection must not hold GPUs until the time limit.
constexpr auto usually_unattended = 15min;

/// How long the end of a job's shell is waited for in Slurm's records: KillWait (30 seconds by default), in which the
/// job's last processes end, and some seconds for the record.
constexpr auto longest_end = 45s;
/// A shell that ends so close to the time limit may have been ended by it.
constexpr auto near_limit = 10s;

/// The state of the run when its shell has ended: a time limit must not pass for a shell that was left. Slurm records
/// the reason some seconds after the shell's end.
monitor::RunView view_after_shell(const monitor::RunFolder& folder, slurm::Gateway& gateway,
                                  const monitor::RunView& before) {
  monitor::Watcher watcher(gateway, {folder});
  const auto limit = winner_of(before)->candidate.time_limit;
  const auto give_up = std::chrono::steady_clock::now() + longest_end;
  for (;;) {
    auto view = watcher.poll(true).front();
    const auto now = std::chrono::system_clock::now();
    const bool at_limit = before.started && now - *before.started >= limit - near_limit;
    const bool may_be_ending = view.state == monitor::RunState::ending || at_limit;
    if (monitor::is_final(view.state) || !may_be_ending) return view;
    if (std::chrono::steady_clock::now() >= give_up || os::take_interrupt()) return view;
    std::this_thread::sleep_for(1s);
  }
}

bool opens_shell(const UpOptions& options, const Invocation& invocation) {
  return invocation.terminal.in && invocation.terminal.out && !invocation.json && !options.detach;
}

Announcement announcement_of(const monitor::RunFolder& folder, const std::vector<std::string>& open) {
  return {.run = folder.id(), .ports = open_ports(open)};
}

/// The run ended before it had its GPUs.
int report_early_end(const monitor::RunFolder& folder, const monitor::RunView& view, const Invocation& invocation) {
  if (invocation.json) fmt::print("{}", json_text(run_json(folder.record(), view)));
  explain_end(folder, view, invocation.terminal);
  return exit_code_of(view);
}

/// Without a shell the GPUs are held until a user enters or stops the run.
int leave_held(const monitor::RunFolder& folder, const monitor::RunView& view, const Invocation& invocation) {
  if (invocation.json) {
    fmt::print("{}", json_text(run_json(folder.record(), view)));
  } else {
    fmt::print("{}\n", folder.id());
  }
  if (view.winner) {
    say_still_held(folder);
  } else {
    fmt::print(stderr, "rv: submitted as run {}; rv shell {} enters it once it has its GPUs, rv stop {} cancels it\n",
               folder.id(), folder.id(), folder.id());
  }
  return 0;
}

/// `code`: the exit code of srun. It may be 0 if the job ended before srun did.
int end_hold(const monitor::RunFolder& folder, slurm::Gateway& gateway, const monitor::RunView& before, int code,
             bool keep, const os::Terminal& terminal) {
  const auto after = view_after_shell(folder, gateway, before);
  if (!monitor::is_final(after.state)) {
    if (!keep) return release(folder, gateway);
    say_still_held(folder);
    return code;
  }
  const bool done = after.state == monitor::RunState::done;
  if (done) fmt::print(stderr, "rv: run {} ended: {}\n", folder.id(), after.detail);
  explain_end(folder, after, terminal);
  return done ? code : exit_code_of(after);
}

/// Opens a shell on the GPUs, and releases or keeps them when it ends.
int shell_on_held(const monitor::RunFolder& folder, slurm::Gateway& gateway, const monitor::RunView& view,
                  const Invocation& invocation, const UpOptions& options) {
  Opener opener(invocation, {.asked = {.ports = open_ports(options.open)}});
  const char* what = winner_of(view)->candidate.gpus > 0 ? "GPUs" : "CPUs";
  fmt::print(stderr, "rv: leaving this shell {}\n",
             options.keep ? fmt::format("keeps the {}; rv stop releases them", what)
                          : fmt::format("releases the {} (rv up --keep keeps them)", what));
  if (!options.open.empty()) opener.open(announcement_of(folder, options.open));
  const int code = monitor::open_shell(folder, view, "", invocation.terminal);
  if (!os::terminal_is_there()) {
    // The shell was not left, its terminal is gone. The user can come back with rv shell; else the job gives its GPUs
    // back.
    os::discard_output();
    return 128 + SIGHUP;
  }
  return end_hold(folder, gateway, view, code, options.keep, invocation.terminal);
}

int hold(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
         const UpOptions& options) {
  const auto followed = follow_run(folder, gateway, invocation,
                                   {.until = options.detach ? Until::accepted : Until::started, .stream = false});
  const auto& view = followed.view;
  const bool over = monitor::is_final(view.state);
  if (followed.interrupted) {
    if (!over) say_still_held(folder);
    return os::interrupt_exit_code();
  }
  if (over) return report_early_end(folder, view, invocation);
  if (view.winner) say_what_is_held(folder, view);
  if (!opens_shell(options, invocation)) return leave_held(folder, view, invocation);
  return shell_on_held(folder, gateway, view, invocation, options);
}

/// Runs a command on the GPUs. The ports of --open are open from its start to its end.
int follow_command(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Invocation& invocation,
                   const std::vector<std::string>& open, monitor::Bars bars) {
  if (open.empty()) return follow_to_end(folder, gateway, invocation, bars);
  Opener opener(invocation, {.asked = {.ports = open_ports(open)}, .json = invocation.json});
  const auto begun = follow_run(folder, gateway, invocation, {.until = Until::started, .stream = false});
  if (begun.interrupted) return after_interrupt(folder, begun);
  if (!monitor::is_final(begun.view.state)) opener.open(announcement_of(folder, open));
  return follow_to_end(folder, gateway, invocation, bars);
}

/// The ports of --open are open as long as a shell is.
void check_open(const UpOptions& options, const Invocation& invocation) {
  if (options.open.empty()) return;
  const auto ports = open_ports(options.open);
  if (options.detach || (options.run.empty() && !opens_shell(options, invocation))) {
    throw Error("--open needs an rv that waits for the shell or the command",
                fmt::format("remove --open; rv forward {} RUN forwards a port of a run that is held",
                            fmt::join(options.open, " ")),
                ExitCode::usage);
  }
  if (!invocation.hop) check_local_ports(ports);
}

remote::Announced hears(const CLI::App& called, const Invocation& invocation, const HostSettings& there) {
  if (!given(called, "--open") || given(called, "--dry-run") || given(called, "--detach")) return {};
  const auto ports = open_ports(given_texts(called, "--open"));
  check_local_ports(ports);
  return hear_announcements(there, {.asked = {.ports = ports}, .json = invocation.json});
}

bool starts(const CLI::App& called) {
  return given(called, "--run") && !given(called, "--dry-run") && !given(called, "--no-sync");
}

bool follows(const CLI::App& called) {
  return given(called, "--run") && !given(called, "--detach");
}

int follow_again(const CLI::App& called, const Invocation& invocation) {
  slurm::Gateway gateway;
  return follow_command(resumed_run(invocation), gateway, invocation, given_texts(called, "--open"), bars_of(called));
}

/// The options of the run itself.
std::shared_ptr<LaunchOptions> add_up_launch(CLI::App& command) {
  auto launch = add_launch_options(command);
  add_container_options(command, launch->container);
  add_output_options(command, *launch);
  add_value(command, "--unattended", launch->job.unattended, duration_value,
            "release the GPUs when no shell has been open for this long (default: 15m; with --keep or --detach: not "
            "released)")
      .type_name("TIME");
  const auto time_or_never = [](std::string_view option, std::string_view text) {
    return duration_or("never", option, text).value_or(0s);
  };
  add_value(command, "--idle-stop", launch->job.idle_stop, time_or_never,
            "release the GPUs when all have been idle for this long; never: don't (default: idle_stop in the settings)")
      .type_name("TIME");
  add_mapping_option(command, *launch);
  add_snapshot_option(command, *launch);
  return launch;
}

/// The command's arguments: those of --run, or a batch script with its arguments. Throws Error(usage) for any others.
std::vector<std::string> command_of(const UpOptions& options, const std::vector<std::string>& typed) {
  if (typed.empty()) return options.run.empty() ? typed : std::vector<std::string>{options.run};
  if (!options.run.empty()) {
    throw Error("--run and a script can't be combined", "remove one of them", ExitCode::usage);
  }
  if (options.launch->batch) return typed;
  require_script(typed);
  std::vector<std::string> words;
  words.reserve(typed.size());
  for (const auto& word : typed) words.push_back(fmt::format("\"{}\"", printable(word)));
  throw Error(fmt::format("rv up does not accept {}", fmt::join(words, " ")), instead, ExitCode::usage);
}

/// When the GPUs are released by themselves: checks the options, and completes those of a run without a command. Throws
/// Error(usage).
void complete_release(templates::JobSpec& job, bool has_command, const UpOptions& options,
                      const Invocation& invocation) {
  const bool on_cpus = options.launch->request->gpus == 0;
  if (has_command && (job.unattended || job.idle_stop)) {
    throw Error(fmt::format("{} and --run can't be combined", job.unattended ? "--unattended" : "--idle-stop"),
                "GPUs are released when the command of --run ends", ExitCode::usage);
  }
  if (on_cpus && job.idle_stop.value_or(0s) > 0s) {
    throw Error("--idle-stop watches GPUs and can't be combined with --gpu 0",
                "use --unattended TIME, which watches the shells", ExitCode::usage);
  }
  if (has_command) return;
  const bool left_alone = options.keep || !opens_shell(options, invocation);
  if (!job.idle_stop && !on_cpus) job.idle_stop = invocation.settings.idle_stop;
  if (!job.unattended) job.unattended = left_alone ? 0s : std::chrono::seconds(usually_unattended);
}

int up(UpOptions& options, const CLI::App& command, const Invocation& invocation) {
  open_ports(options.open);  // a wrong one ends the call before anything is planned
  options.launch =
      with_batch(options.launch, add_up_launch, options_given(command, {"--run", "--open", "--detach", "--keep"}),
                 {.command = "up", .arrays = false}, invocation);
  const auto words = command_of(options, invocation.user_command);
  auto snapshot = snapshot_for(*options.launch, invocation);
  auto order = order_for(*options.launch, words, invocation);
  complete_release(order.job, !words.empty(), options, invocation);
  order.job.joined_output = joins_output(*options.launch, !options.detach, invocation.terminal);
  if (!options.launch->dry_run) check_open(options, invocation);
  // Closing the terminal ends the wait; a command would continue without it.
  if (words.empty() && !options.detach) os::catch_hangup();
  const auto launched = launch(*options.launch, order, invocation);
  if (!launched.folder) return launched.exit_code;
  snapshot.keep();
  slurm::Gateway gateway;
  if (words.empty()) return hold(*launched.folder, gateway, invocation, options);
  if (options.detach) return attend(*launched.folder, gateway, invocation, {.detach = true}).exit_code.value_or(0);
  return follow_command(*launched.folder, gateway, invocation, options.open, options.launch->bars);
}

void add_up(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<UpOptions>();
  options->launch = add_up_launch(command);
  add_option(command, "--run", options->run, "run this shell command, show its output, then release the GPUs")
      .type_name("CMD");
  add_open_option(command, options->open);
  add_flag(command, "-d,--detach", options->detach, "print the run's ID and return; hold the GPUs");
  add_flag(command, "--keep", options->keep, "keep the GPUs when the shell ends");
  regroup_options(command, "With --run or a script",
                  {"--run", "--output", "--procs-per-node", "--interpreter", "--requeue", "--retries", "--retry-on",
                   "--stall", "--on-stall", "--separate-stderr", "--raw"});
  hide_options(command, {"--window", "--checkpoint", "--segment-time", "--time-min", "--warn", "--signal",
                         "--max-crashes", "--checkpoint-from"});
  set_footer(command,
             "Examples:\n"
             "  rv up --gpu 4 --time 30m                       open a shell on four GPUs of any type\n"
             "  rv up -g 2 -t a100 -t h100 --dry-run           list the ways to get them\n"
             "  rv up -g 1 --time 2h --open 6006               also forward port 6006 of the node\n"
             "  rv up -g 4 --time 30m --run 'torchrun --nproc_per_node=4 train.py'");
  add_user_script(command, "a script with #SBATCH lines, which is run, and its arguments");
  set_callback(command, [=, &command, &invocation, &action] {
    action = [=, &command, &invocation] { return up(*options, command, invocation); };
  });
}

}  // namespace

extern const Command up_command{
    .name = "up",
    .summary = "Get GPUs and open a shell on them, or run a command or batch script",
    .group = groups::get_gpus,
    .common = {"gpu", "type", "time", "vram", "nodes", "name", "account", "partition", "run", "detach", "keep", "open",
               "dry-run"},
    .nearest = {"salloc", "start", "alloc"},
    .instead = instead,
    .stays_here = on_saved_cluster,
    .needs_files = starts,
    .follows = follows,
    .resume = follow_again,
    .when_lost =
        "rv -H {0} shell enters GPUs that you had; a run that still waited was cancelled if rv had a terminal: "
        "rv -H {0} ps",
    .hears = hears,
    .add = add_up,
};

}  // namespace rv::cli
