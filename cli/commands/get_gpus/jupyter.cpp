// rv jupyter: Jupyter on GPUs, its page on the user's own machine.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/os/interrupt.h"
#include "base/os/patient_write.h"
#include "cli/commands/commands.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"
#include "cli/open/held_run.h"
#include "cli/open/jupyter_server.h"
#include "cli/open/opener.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/option_values.h"
#include "cli/options/run_argument.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

struct JupyterOptions {
  std::shared_ptr<LaunchOptions> launch;
  std::optional<std::string> attach;
  std::optional<int> port;
  bool browser = false;
  bool detach = false;
  std::optional<std::chrono::seconds> unattended;
};

constexpr auto usually_unattended = 15min;

/// One page, at this port of this machine; the server has chosen its own.
OpenRequest page_at(std::optional<int> port) {
  return {.ports = {{.local = port.value_or(0), .remote = 0}}, .page = true};
}

/// How it ended by itself, and the exit code.
int explain(const monitor::RunFolder& folder, const monitor::RunView& view, const Invocation& invocation) {
  if (jupyter_is_missing(folder)) {
    throw Error(
        fmt::format("Jupyter was not found for run {}: neither jupyter-lab, jupyter-notebook nor jupyter-server is "
                    "on the PATH of its command",
                    folder.id()),
        "add jupyterlab to the project's dependencies (rv deps), or load it in setup in the settings",
        ExitCode::failed);
  }
  if (view.state == monitor::RunState::done) fmt::print(stderr, "rv: run {} is over: {}\n", folder.id(), view.detail);
  explain_end(folder, view, invocation.terminal);
  return exit_code_of(view);
}

/// `own`: this command has started the run, and Ctrl-C ends it.
int after_ctrl_c(const monitor::RunFolder& folder, slurm::Gateway& gateway, const Followed& followed, bool own) {
  const int code = os::interrupt_exit_code();
  if (monitor::is_final(followed.view.state)) return code;
  if (own && !os::hung_up()) {
    const int trouble = release(folder, gateway);
    return trouble == 0 ? code : trouble;
  }
  os::write_briefly(
      fmt::format("rv: run {0} continues; rv jupyter --attach {0} opens it again, rv stop {0} ends it\n", folder.id()));
  return code;
}

int stand_by(const monitor::RunFolder& folder, const Invocation& invocation, const JupyterOptions& options) {
  const bool own = !options.attach;
  slurm::Gateway gateway;
  const auto started = follow_run(folder, gateway, invocation, {.until = Until::started, .only_watch = !own});
  if (started.interrupted) return after_ctrl_c(folder, gateway, started, own);
  if (monitor::is_final(started.view.state)) return explain(folder, started.view, invocation);
  if (own && !invocation.json) say_what_is_held(folder, started.view);
  std::optional<JupyterPage> page;
  const auto serves = [&] {
    page = jupyter_page(folder);
    return page.has_value();
  };
  const auto ready =
      follow_run(folder, gateway, invocation, {.until = Until::started, .ready = serves, .only_watch = !own});
  if (ready.interrupted) return after_ctrl_c(folder, gateway, ready, own);
  if (!page) return explain(folder, ready.view, invocation);
  Opener opener(
      invocation,
      {.asked = page_at(options.port), .browser = options.browser, .keep = options.detach, .json = invocation.json});
  opener.open({.run = folder.id(),
               .ports = {{.local = options.port.value_or(0), .remote = page->port}},
               .page = page->path,
               .secure = page->secure});
  if (options.detach) {
    if (!invocation.json) {
      fmt::print(stderr, "rv: run {0} continues; rv jupyter --attach {0} opens it again, rv stop {0} ends it\n",
                 folder.id());
    }
    return 0;
  }
  const auto followed = follow_run(folder, gateway, invocation, {.until = Until::over, .only_watch = !own});
  if (followed.interrupted) return after_ctrl_c(folder, gateway, followed, own);
  return explain(folder, followed.view, invocation);
}

int attach(const Invocation& invocation, const JupyterOptions& options) {
  const auto run = named_or_latest(monitor::runs_in(invocation.settings.runs_folder()), options.attach);
  if (!is_jupyter(run.folder)) {
    throw Error(fmt::format("run {} was not started by rv jupyter", run.record.id),
                fmt::format("rv forward PORT {} opens a port of any run", run.record.id), ExitCode::no_such_run);
  }
  os::catch_interrupts();
  return stand_by(run.folder, invocation, options);
}

void check(const JupyterOptions& options, const Invocation& invocation) {
  if (options.launch->request->nodes.value_or(1) > 1 || options.launch->job.processes_per_node > 1) {
    throw Error("rv jupyter runs one process on one node",
                "remove --nodes and --procs-per-node; for several nodes use rv up --nodes 2 --open 8888",
                ExitCode::usage);
  }
  if (!invocation.hop && !options.launch->dry_run)
    check_local_ports({{.local = options.port.value_or(0), .remote = 0}});
}

int start(const Invocation& invocation, const JupyterOptions& options) {
  options.launch->request->nodes = 1;
  auto order = order_for(*options.launch, {}, invocation);
  order.job.typed = {"jupyter"};
  order.job.set_command(jupyter_argv());
  const auto unattended = options.unattended.value_or(options.detach ? 0s : std::chrono::seconds(usually_unattended));
  order.prepare = [unattended](const monitor::RunFolder& folder) { prepare_jupyter(folder, unattended); };
  // Closing the terminal ends the wait. A server that has started continues until it is idle.
  if (!options.detach) os::catch_hangup();
  const auto launched = launch(*options.launch, order, invocation);
  if (!launched.folder) return launched.exit_code;
  return stand_by(*launched.folder, invocation, options);
}

int follow_again(const CLI::App& called, const Invocation& invocation) {
  JupyterOptions options{.launch = nullptr,
                         .attach = std::nullopt,
                         .port = std::nullopt,
                         .browser = given(called, "--browser"),
                         .detach = given(called, "--detach"),
                         .unattended = std::nullopt};
  for (const auto& word : given_texts(called, "--attach")) options.attach = word;
  for (const auto& text : given_texts(called, "--port")) options.port = port_value("--port", text);
  if (options.attach && invocation.hop->resume.run.empty()) return attach(invocation, options);
  if (!options.attach && !options.detach) os::catch_hangup();
  return stand_by(resumed_run(invocation), invocation, options);
}

bool starts(const CLI::App& called) {
  return !given(called, "--attach") && !given(called, "--dry-run") && !given(called, "--no-sync");
}

bool follows(const CLI::App& called) {
  return !given(called, "--dry-run");
}

remote::Announced hears(const CLI::App& called, const Invocation& invocation, const HostSettings& there) {
  if (given(called, "--dry-run")) return {};
  std::optional<int> port;
  for (const auto& text : given_texts(called, "--port")) port = port_value("--port", text);
  check_local_ports({{.local = port.value_or(0), .remote = 0}});
  return hear_announcements(there, {.asked = page_at(port),
                                    .browser = given(called, "--browser"),
                                    .keep = given(called, "--detach"),
                                    .json = invocation.json});
}

void add_jupyter(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<JupyterOptions>();
  options->launch = add_launch_options(command);
  add_value(command, "--port", options->port, port_value, "local port of the page (default: a free port)")
      .type_name("PORT");
  add_flag(command, "--browser", options->browser, "open the page in a browser");
  add_flag(command, "-d,--detach", options->detach,
           "print the address and return; the server and the forward continue");
  add_option(command, "--attach", options->attach, "open the page of this run again; Ctrl-C does not end the run")
      .type_name("RUN");
  add_value(command, "--unattended", options->unattended, duration_value,
            "end the server after this long without kernels and visitors (default: 15m; never with --detach)")
      .type_name("TIME");
  hide_options(command, {"--procs-per-node", "--interpreter", "--requeue", "--retries", "--retry-on", "--stall",
                         "--on-stall", "--nodes", "--single-node", "--splits", "--window", "--checkpoint",
                         "--segment-time", "--time-min", "--warn", "--signal", "--max-crashes", "--checkpoint-from"});
  set_footer(command,
             "Ctrl-C ends the server and releases the GPUs. The page is on 127.0.0.1 of your machine and needs a\n"
             "token that rv creates.\n"
             "\n"
             "Examples:\n"
             "  rv jupyter -g 1 --time 4h                  print the address of the page\n"
             "  rv jupyter -g 1 -t a100 --port 8080 --browser\n"
             "  rv jupyter -g 2 --time 8h --detach         return and leave it running\n"
             "  rv jupyter --attach k3f9x2                 print the address again");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (options->attach) return attach(invocation, *options);
      check(*options, invocation);
      return start(invocation, *options);
    };
  });
}

}  // namespace

extern const Command jupyter_command{
    .name = "jupyter",
    .summary = "Start Jupyter on GPUs and forward its page to this machine",
    .group = groups::get_gpus,
    .common = {"gpu", "type", "time", "vram", "name", "account", "partition", "port", "browser", "detach", "attach",
               "unattended", "dry-run"},
    .stays_here = on_saved_cluster,
    .needs_files = starts,
    .follows = follows,
    .resume = follow_again,
    .hears = hears,
    .add = add_jupyter,
};

}  // namespace rv::cli
