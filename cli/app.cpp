#include "cli/app.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/border/checked_name.h"
#include "base/border/standard_streams.h"
#include "base/embedded_file.h"
#include "base/error.h"
#include "base/tone.h"
#include "base/version.h"
#include "cli/commands/commands.h"
#include "cli/hidden_flags.h"
#include "cli/json/values_json.h"
#include "cli/json/version_json.h"
#include "cli/launch/login_node.h"
#include "cli/launch/push_for_run.h"
#include "cli/open/node_ssh.h"
#include "cli/options/user_command.h"
#include "cli/remote/hop/hop.h"
#include "cli/remote/hop/login_side.h"
#include "cli/remote/sync/login_rsync.h"
#include "cli/views/help.h"

namespace rv::cli {

namespace {

void add_general_options(CLI::App& app, Invocation& invocation) {
  app.set_help_flag("-h,--help", "-h: common options; --help: all options")->group("General");
  app.add_option("-H,--host", invocation.host, "run on this login node, over ssh (default: host in the settings)")
      ->type_name("NAME")
      ->group("General");
  app.add_flag("--json", invocation.json, "print one JSON document on stdout, and errors as JSON")->group("General");
  app.add_flag("-v,--verbose", invocation.verbose, "print on stderr what rv does")->group("General");
}

/// "rv help run" is "rv run --help".
std::vector<std::string> without_help_word(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

bool says(OfCall property, const CLI::App& called) {
  return property != nullptr && property(called);
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
  const bool colour = invocation.terminal.cursor && invocation.terminal.colour;
  fmt::print(stderr, "rv: {} {}\n", coloured("error:", Tone::bad, colour), error.what());
  if (!error.advice().empty()) fmt::print(stderr, "{} {}\n", invocation.terminal.hint(), error.advice());
  return code;
}

/// Each library's terms, below a line with its name, as Debian's package has them.
void print_licences() {
  for (const auto& file : embedded::licences()) fmt::print("==> {} <==\n{}\n", file.name, file.text);
}

/// On the page of rv -h.
constexpr std::array<std::string_view, 12> everyday_commands{"init", "cluster", "plan", "up",  "run",  "ps",
                                                             "logs", "why",     "gpu",  "top", "stop", "accept"};

std::string help_page(const CLI::App& app, const SplitCommandLine& line, int width) {
  if (line.command == nullptr) {
    return line.full_help ? help_text(app, {}, width) : short_help_text(app, everyday_commands, width);
  }
  const CommonOptions& common = command_named(line.command->get_name()).common;
  return line.full_help ? help_text(*line.command, common, width) : short_help_text(*line.command, common, width);
}

/// Prints what needs no command to run, and returns the exit code; nothing: there is a command to run.
std::optional<int> answer_at_once(const CLI::App& app, const SplitCommandLine& line, const Invocation& invocation) {
  if (line.help) {
    fmt::print("{}", help_page(app, line, invocation.terminal.width));
    return 0;
  }
  if (line.fault) throw Error(*line.fault);
  if (line.licences) {
    print_licences();
    return 0;
  }
  if (line.version) {
    fmt::print("{}", line.json ? json_text(version_json()) : fmt::format("rv {}\n", version));
    return 0;
  }
  if (!line.words.empty()) return std::nullopt;
  fmt::print(stderr, "{}", short_help_text(app, everyday_commands, invocation.terminal.width));
  return static_cast<int>(ExitCode::usage);
}

/// Words that a command does not take. The library names them in reverse order.
Error leftover(const CLI::App& called) {
  std::vector<std::string> words = called.remaining();
  for (auto& word : words) word = fmt::format("\"{}\"", printable(word));
  const Command& command = command_named(called.get_name());
  return {fmt::format("rv {} does not accept {}", command.name, fmt::join(words, " ")),
          command.instead != nullptr ? command.instead : fmt::format("see rv {} --help", command.name),
          ExitCode::usage};
}

/// The first required argument that was not given, by the name that the help shows.
Error missing_argument(const CLI::App& called) {
  const Command& command = command_named(called.get_name());
  std::string name;
  for (const CLI::Option* option : called.get_options()) {
    if (name.empty() && option->get_required() && option->count() == 0) name = argument_name(*option);
  }
  return {fmt::format("rv {} needs its argument \"{}\"", command.name, name),
          command.example != nullptr ? fmt::format("for example: {}", command.example)
                                     : fmt::format("see rv {} --help", command.name),
          ExitCode::usage};
}

/// The library's "--keep requires --reports" and "--tail excludes --pull" in rv's form.
Error in_conflict(const std::string& fault) {
  constexpr std::string_view needs = " requires ", excludes = " excludes ";
  if (const auto at = fault.find(needs); at != std::string::npos) {
    const auto option = fault.substr(0, at), other = fault.substr(at + needs.size());
    return {fmt::format("{} needs {}", option, other), fmt::format("add {}, or remove {}", other, option),
            ExitCode::usage};
  }
  const auto at = fault.find(excludes);
  return {fmt::format("{} and {} can't be combined", fault.substr(0, at), fault.substr(at + excludes.size())),
          "remove one of them", ExitCode::usage};
}

/// Fills in the options and the action.
void parse(CLI::App& app, const SplitCommandLine& line) {
  std::vector<std::string> reversed(line.words.rbegin(), line.words.rend());  // as the parser takes them
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ExtrasError&) {
    throw leftover(*line.command);
  } catch (const CLI::RequiredError&) {
    throw missing_argument(*line.command);
  } catch (const CLI::RequiresError& fault) {
    throw in_conflict(fault.what());
  } catch (const CLI::ExcludesError& fault) {
    throw in_conflict(fault.what());
  } catch (const CLI::ParseError& fault) {
    const std::string name = line.command == nullptr ? "rv" : "rv " + line.command->get_name();
    throw Error(fault.what(), fmt::format("see {} --help", name), ExitCode::usage);
  }
}

bool is_raw(const CLI::App& called) {
  const auto* raw = called.get_option_no_throw("--raw");
  return raw != nullptr && raw->count() > 0;
}

std::string when_lost(const Command& command, const std::string& host) {
  return command.when_lost == nullptr ? "run the command again" : fmt::format(fmt::runtime(command.when_lost), host);
}

/// Runs the same arguments on the login node if this call belongs there; nothing if it belongs here.
std::optional<int> run_on_login_node(const Command& command, const CLI::App& called,
                                     const std::vector<std::string>& words, const Invocation& invocation) {
  if (command.runs_on != RunsOn::login_node || says(command.stays_here, called)) return std::nullopt;
  const auto there = login_node(invocation);
  if (!there) return std::nullopt;
  remote::check_length(words);
  if (command.check_sent != nullptr) command.check_sent(called, invocation);
  const remote::Announced announced = command.hears == nullptr ? nullptr : command.hears(called, invocation, *there);
  std::optional<remote::ProjectPlace> project;
  if (there->sync && says(command.needs_files, called)) project = cli::push_for_run(*there, invocation);
  return remote::run_there({.host = there->host,
                            .cluster_home = there->cluster_home,
                            .folder = "",
                            .words = words,
                            .follows = says(command.follows, called),
                            .terminal = invocation.terminal,
                            .raw = is_raw(called),
                            .project = project.value_or(remote::ProjectPlace()),
                            .announced = announced,
                            .when_lost = when_lost(command, there->host)});
}

int run_action(const std::vector<std::string>& typed, Invocation& invocation) {
  const auto words = without_help_word(typed);
  Action action;
  const std::unique_ptr<CLI::App> app = make_app(invocation, action);
  SplitCommandLine line = split_command(*app, words, nearest_commands());
  invocation.json = line.json;
  if (const auto code = answer_at_once(*app, line, invocation)) return *code;
  invocation.user_command = std::move(line.user_command);
  invocation.as_typed = line.as_typed;
  parse(*app, line);
  if (!action) throw Error("a command is missing", "see rv --help for the commands", ExitCode::usage);
  // A laptop that passes on the same arguments has printed it.
  if (!invocation.hop) {
    for (const std::string& note : line.notes) fmt::print(stderr, "rv: {}\n", note);
  }
  log_to_stderr(invocation.verbose);
  const Command& command = command_named(line.command->get_name());
  if (const auto code = run_on_login_node(command, *line.command, words, invocation)) return *code;
  if (command.needs_settings) invocation.settings = read_settings();
  if (!invocation.hop) return action();
  // Not in the folder of the first call, whose files the action would check.
  if (invocation.hop->resume.wanted && command.resume != nullptr) return command.resume(*line.command, invocation);
  if (!invocation.hop->project.name.empty()) cli::enter_snapshot(invocation.hop->project, invocation.settings.home);
  return action();
}

Error unwritten_output(int reason) {
  return {fmt::format("can't write the output: {}", std::strerror(reason)), "check whether the disk is full"};
}

/// Throws if the output could not be written, for example on a full disk.
void flush_output() {
  const int reason = std::ferror(stdout) != 0 ? errno : 0;
  if (std::fflush(stdout) != 0 && errno != EPIPE) throw unwritten_output(errno);
  if (reason != 0 && reason != EPIPE) throw unwritten_output(reason);
}

}  // namespace

std::unique_ptr<CLI::App> make_app(Invocation& invocation, Action& action) {
  auto app = std::make_unique<CLI::App>(
      "rv gets you GPUs on a Slurm cluster sooner: it submits several jobs for the same request, runs your command in "
      "the first that starts, and cancels the others.",
      "rv");
  app->require_subcommand(0, 1);
  add_general_options(*app, invocation);
  app->set_version_flag("-V,--version", version, "the version")->group("General");
  app->add_flag("--licences,--licenses")
      ->description("licences of the libraries that rv and its workers contain")
      ->group("General");
  app->footer(
      "Examples:\n"
      "  rv plan --gpu 4 --time 30m        list the ways to get four GPUs, with waits and costs\n"
      "  rv up --gpu 4 --time 30m          open a shell on four GPUs\n"
      "  rv run -f -g 2 python train.py    run a command and follow its output\n"
      "\n"
      "rv COMMAND -h lists the common options of a command, rv COMMAND --help all of them.");
  for (const Command* command : all_commands()) {
    CLI::App* added = app->add_subcommand(command->name, command->summary)->group(command->group);
    for (const auto word : command->synonyms) {
      if (!word.empty()) added->alias(std::string(word));
    }
    command->add(*added, invocation, action);
    add_general_options(*added, invocation);
  }
  return app;
}

namespace {

/// What the action returns, or the code of the error that it threw, once reported.
int reported(const Invocation& invocation, const std::function<int()>& action) {
  try {
    return action();
  } catch (const Error& error) {
    return report(error, invocation);
  } catch (const std::system_error& fault) {
    // The system refused something: a full disk, a folder where a file was expected. No fault of rv's.
    return report(std::ferror(stdout) != 0 ? unwritten_output(fault.code().value())
                                           : Error(fault.what(), "correct this and try again"),
                  invocation);
  } catch (const std::exception& fault) {
    return report(Error(fmt::format("rv itself failed: {}", fault.what()),
                        fmt::format("please report this with your command line and rv's version ({})", version)),
                  invocation);
  }
}

int run_words(const std::vector<std::string>& words, Invocation& invocation) {
  return reported(invocation, [&] {
    const int code = run_action(words, invocation);
    flush_output();
    return code;
  });
}

/// The laptop's rv on a login node: the command and its terminal (cli/remote/hop).
int answer_hop(const std::string& encoded, Invocation& invocation) {
  const remote::HopRequest request = remote::decode(encoded);
  const int columns = invocation.terminal.width;
  const bool terminal = invocation.terminal.in;
  invocation.terminal = request.terminal;
  if (terminal) invocation.terminal.width = columns;  // of the terminal that ssh made here
  invocation.hop = request;
  return remote::answer(request, [&] {
    return reported(invocation, [&] {
      if (const auto code = run_hidden(request.words, invocation, true)) return *code;
      if (const auto code = sync::serve_sync(request.words)) return *code;
      if (request.words.size() == 2 && request.words.front() == "--node-ssh") {
        return serve_node_ssh(request.words.back());
      }
      return run_words(request.words, invocation);
    });
  });
}

}  // namespace

int run_rv(int argc, const char* const* argv) {
  open_closed_streams();
  Invocation invocation;
  invocation.terminal = os::read_terminal();
  prepare_output_streams(invocation.terminal.utf8);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  return reported(invocation, [&] {
    if (words.size() == 2 && words.front() == "--hop") return answer_hop(words.back(), invocation);
    if (const auto code = run_hidden(words, invocation, false)) return *code;
    return run_words(words, invocation);
  });
}

}  // namespace rv::cli
