#include "cli/app.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sha256.h"
#include "base/version.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/login_node.h"
#include "cli/launch/push_for_run.h"
#include "cli/options/user_command.h"
#include "cli/views/help.h"
#include "remote/forward/login_relay.h"
#include "remote/forward/node_relay.h"
#include "remote/hop/build_id.h"
#include "remote/hop/hop.h"
#include "remote/hop/login_side.h"
#include "remote/sync/login_rsync.h"
#include "remote/sync/rsync_shell.h"

namespace rv::cli {

namespace {

struct Entry {
  AddCommand add;
  const char* group;
};

// In the order of the help page.
constexpr std::array entries{
    Entry{add_up, "Get GPUs"},        Entry{add_run, "Get GPUs"},        Entry{add_shell, "Get GPUs"},
    Entry{add_ssh, "Get GPUs"},       Entry{add_accept, "Get GPUs"},     Entry{add_ps, "Follow runs"},
    Entry{add_status, "Follow runs"}, Entry{add_logs, "Follow runs"},    Entry{add_wait, "Follow runs"},
    Entry{add_why, "Follow runs"},    Entry{add_show, "Follow runs"},    Entry{add_gpu, "Follow runs"},
    Entry{add_cost, "Follow runs"},   Entry{add_forward, "Follow runs"}, Entry{add_stop, "Follow runs"},
    Entry{add_pull, "Follow runs"},   Entry{add_cluster, "Look ahead"},  Entry{add_plan, "Look ahead"},
    Entry{add_render, "Look ahead"},  Entry{add_init, "Other"},          Entry{add_gc, "Other"},
    Entry{add_sync, "Other"},         Entry{add_notify, "Other"},        Entry{add_env, "Other"},
    Entry{add_exec, "Other"},         Entry{add_completion, "Other"},
};

/// Commands that work without a home folder and whatever the settings files hold.
bool needs_settings(const CLI::App& command) {
  return command.get_name() != "completion" && command.get_name() != "exec";
}

void add_general_options(CLI::App& app, Invocation& invocation) {
  app.set_help_flag("-h,--help", "this page")->group("General");
  app.add_option("-H,--host", invocation.host, "run on this login node, over ssh (default: host in the settings)")
      ->type_name("NAME")
      ->group("General");
  app.add_flag("--json", invocation.json, "one JSON document on stdout, errors as JSON")->group("General");
  app.add_flag("-v,--verbose", invocation.verbose, "say on stderr what rv does")->group("General");
}

bool given(const CLI::App& command, const std::string& option) {
  const CLI::Option* found = command.get_option_no_throw(option);
  return found != nullptr && found->count() > 0;
}

/// rv env takes values from this machine's files and environment, and goes to the login node with them by itself.
bool reads_values_here(const CLI::App& command) {
  return command.get_name() == "env" &&
         (given(command, "--from-env") || command.get_option("action")->as<std::string>() == "import");
}

/// Commands that go to the login node by themselves, with files or answers of this machine.
bool goes_by_itself(const CLI::App& command) {
  return command.get_name() == "init" || command.get_name() == "forward" || command.get_name() == "sync" ||
         command.get_name() == "pull";
}

/// Whether the command belongs to the login node. A plan from a saved file needs no cluster.
bool may_hop(const CLI::App& command) {
  return command.get_name() != "completion" && !goes_by_itself(command) && !given(command, "--cluster") &&
         !reads_values_here(command);
}

/// Whether it starts something that may need this folder's files.
bool starts_command(const CLI::App& command) {
  return (command.get_name() == "run" || given(command, "--run")) && !given(command, "--dry-run");
}

/// Whether its output goes on after a lost connection where it stopped.
bool follows_output(const CLI::App& command) {
  return given(command, "--follow") || (given(command, "--run") && !given(command, "--detach"));
}

void log_to_stderr(bool verbose) {
  auto logger = std::make_shared<spdlog::logger>("rv", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("rv: %v");
  logger->set_level(verbose ? spdlog::level::debug : spdlog::level::warn);
  spdlog::set_default_logger(std::move(logger));
}

int report(const Error& error, const Invocation& invocation) {
  const int code = static_cast<int>(error.code());
  if (invocation.json) {
    const nlohmann::ordered_json document{
        {"error", {{"message", error.what()}, {"advice", error.advice()}, {"exit_code", code}}}};
    fmt::print(stderr, "{}", json_text(document, -1));
    return code;
  }
  fmt::print(stderr, "rv: error: {}\n", error.what());
  const bool arrow = invocation.terminal.err && invocation.terminal.utf8;
  if (!error.advice().empty()) fmt::print(stderr, "{} {}\n", arrow ? "  →" : "hint:", error.advice());
  return code;
}

int run_action(const std::vector<std::string>& words, Invocation& invocation) {
  Action action;
  const std::unique_ptr<CLI::App> app = make_app(invocation, action);
  SplitCommandLine line = split_command(*app, words);
  invocation.json = line.json;
  if (line.help) {
    fmt::print("{}", help_text(line.command == nullptr ? *app : *line.command, invocation.terminal.width));
    return 0;
  }
  if (line.fault) throw Error(*line.fault);
  if (line.version) {
    fmt::print("rv {}\n", version);
    return 0;
  }
  if (line.words.empty()) {
    fmt::print(stderr, "{}", help_text(*app, invocation.terminal.width));
    return static_cast<int>(ExitCode::usage);
  }
  invocation.user_command = std::move(line.user_command);
  std::vector<std::string> reversed(line.words.rbegin(), line.words.rend());  // as the parser takes them
  try {
    app->parse(std::move(reversed));
  } catch (const CLI::ParseError& fault) {
    const std::string name = line.command == nullptr ? "rv" : "rv " + line.command->get_name();
    throw Error(fault.what(), fmt::format("see {} --help", name), ExitCode::usage);
  }
  if (!action) {
    throw Error("a command is missing", "see rv --help for the commands", ExitCode::usage);
  }
  for (const std::string& note : line.notes) fmt::print(stderr, "{}\n", note);
  log_to_stderr(invocation.verbose);
  if (may_hop(*line.command)) {
    if (const auto there = login_node(invocation)) {
      std::optional<remote::ProjectPlace> project;
      if (there->sync && starts_command(*line.command) && !given(*line.command, "--no-sync")) {
        project = cli::push_for_run(*there, invocation);
      }
      return remote::run_there({.host = there->host,
                                .cluster_home = there->cluster_home,
                                .folder = "",
                                .words = words,
                                .follows = follows_output(*line.command),
                                .terminal = invocation.terminal,
                                .project = project.value_or(remote::ProjectPlace())});
    }
  }
  if (needs_settings(*line.command)) invocation.settings = read_settings();
  if (invocation.hop && !invocation.hop->project.name.empty() && !invocation.hop->resume.wanted) {
    cli::enter_snapshot(invocation.hop->project, invocation.settings.home);
  }
  return action();
}

/// What was printed must have arrived: a full disk is no success.
void flush_output() {
  if (std::fflush(stdout) != 0 && errno != EPIPE) {
    throw Error(fmt::format("can't write the output: {}", std::strerror(errno)), "is the disk full?");
  }
}

}  // namespace

std::unique_ptr<CLI::App> make_app(Invocation& invocation, Action& action) {
  auto app = std::make_unique<CLI::App>(
      "rv gets GPUs out of a Slurm cluster: it finds every way to get them, races the best, and runs your command "
      "once.",
      "rv");
  app->require_subcommand(0, 1);
  add_general_options(*app, invocation);
  app->set_version_flag("-V,--version", version, "the version")->group("General");
  app->footer(
      "Examples:\n"
      "  rv plan --gpu 4 --time 30m        what is there, what it costs\n"
      "  rv up --gpu 4 --time 30m          a shell on four GPUs\n"
      "  rv run -f -g 2 python train.py    run it, see its output\n"
      "\n"
      "rv COMMAND --help tells more.");
  for (const Entry& entry : entries) {
    const std::size_t before = app->get_subcommands([](const CLI::App*) { return true; }).size();
    entry.add(*app, invocation, action);
    const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
    for (std::size_t i = before; i < commands.size(); ++i) {
      commands[i]->group(entry.group);
      add_general_options(*commands[i], invocation);
    }
  }
  return app;
}

namespace {

int run_words(const std::vector<std::string>& words, Invocation& invocation) {
  try {
    const int code = run_action(words, invocation);
    flush_output();
    return code;
  } catch (const Error& error) {
    return report(error, invocation);
  } catch (const std::exception& fault) {
    return report(Error(fmt::format("rv itself failed: {}", fault.what()),
                        fmt::format("please report this with what you typed and rv's version ({})", version)),
                  invocation);
  }
}

/// The far ends of a forward.
std::optional<int> run_relay(const std::vector<std::string>& words) {
  if (words.size() != 2) return std::nullopt;
  if (words.front() == "--relay") return forward::relay_from_login_node(words.back());
  if (words.front() == "--relay-on-node") return forward::relay_on_node(words.back());
  if (words.front() == "--listening-ports") return forward::print_listening_ports(words.back());
  return std::nullopt;
}

/// What one rv asks of another, for which there are no settings, no help and no completion.
std::optional<int> run_between_machines(const std::vector<std::string>& words, Invocation& invocation) {
  if (words.size() == 1 && words.front() == "--checksum") {
    fmt::print("{}\n", sha256_hex(remote::own_binary()));
    return 0;
  }
  if (const auto code = run_relay(words)) return code;
  if (!words.empty() && words.front() == "--rsh") return sync::run_rsync_shell(words);
  if (words.size() != 2 || words.front() != "--hop") return std::nullopt;
  remote::HopRequest request = remote::decode(words.back());
  const int columns = invocation.terminal.width;
  const bool terminal = invocation.terminal.in;
  invocation.terminal = request.terminal;
  if (terminal) invocation.terminal.width = columns;  // of the terminal that ssh made here
  invocation.hop = request;
  return remote::answer(request, [&] {
    try {
      if (const auto code = run_relay(request.words)) return *code;
      if (const auto code = sync::serve_sync(request.words)) return *code;
    } catch (const Error& error) {
      return report(error, invocation);
    }
    return run_words(request.words, invocation);
  });
}

}  // namespace

int run_rv(int argc, const char* const* argv) {
  Invocation invocation;
  invocation.terminal = os::read_terminal();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  try {
    if (const auto code = run_between_machines(words, invocation)) return *code;
  } catch (const Error& error) {
    return report(error, invocation);
  }
  return run_words(words, invocation);
}

}  // namespace rv::cli
