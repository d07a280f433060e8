// rv env: the user's own variables for jobs, keys and tokens among them.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/table.h"
#include "base/walltime.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/login_node.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/remote/hop/hop.h"
#include "cli/setup/ask.h"
#include "cli/setup/user_secrets.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

struct EnvOptions {
  std::string action = "list";
  std::vector<std::string> words;
  bool from_env = false;
};

[[noreturn]] void refuse(const std::string& message, const std::string& advice) {
  throw Error(message, advice, ExitCode::usage);
}

std::string whole_stdin() {
  constexpr std::size_t enough = 4'000'000;
  std::string text;
  char buffer[65536];
  while (text.size() < enough) {
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("stdin can't be read", "give the value on stdin: rv env set NAME < FILE");
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  refuse("that is too much for a variable", "a value has 100,000 bytes at most");
}

/// Typed input, a file and the output of echo end with a newline that is not part of the value.
std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

/// Before anything else, and without repeating what may be a secret: ssh's arguments would show it as well.
void check_words(const EnvOptions& options) {
  if (options.action == "set") {
    const bool value =
        options.words.size() > 1 || (options.words.size() == 1 && options.words[0].find('=') != std::string::npos);
    if (value) {
      refuse("a value on the command line is visible to every user of the machine",
             "rv env set NAME prompts for it, or reads it from stdin or, with --from-env, from the environment");
    }
    if (options.words.empty())
      refuse("rv env set needs the name of a variable", "for example rv env set WANDB_API_KEY");
    check_user_secret(options.words[0], "x");
  } else if (options.action == "import") {
    if (options.words.size() != 1) refuse("rv env import takes one file", "rv env import .env, or - for stdin");
  } else if (options.action == "rm") {
    if (options.words.empty()) refuse("rv env rm needs the names of variables", "rv env list names them");
  } else if (options.action != "list") {
    refuse(fmt::format("rv env: unknown action \"{}\"{}", options.action,
                       suggestion(options.action, {"set", "list", "rm", "import"})),
           "the actions are set, list, rm and import");
  }
  if (options.action != "set" && options.from_env) refuse("--from-env is for rv env set", "see rv env --help");
}

/// Here, or on the login node with the values on stdin.
int keep(const NamedValues& values, const Invocation& invocation) {
  for (const auto& [name, value] : values) check_user_secret(name, value);
  if (const auto there = login_node(invocation)) {
    return remote::run_there({.host = there->host,
                              .cluster_home = there->cluster_home,
                              .folder = "",
                              .words = {"env", "import", "-"},
                              .follows = false,
                              .terminal = invocation.terminal,
                              .input = to_env_file(values)});
  }
  for (const auto& [name, value] : values) {
    set_user_secret(invocation.settings.home, name, value);
    fmt::print(stderr, "rv: {} is set, {} bytes; runs that you submit from now on get it\n", name, value.size());
  }
  return 0;
}

int set(const EnvOptions& options, const Invocation& invocation) {
  const std::string& name = options.words.front();
  if (options.from_env) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) refuse(fmt::format("{} is not set in this environment", name), "export it first");
    return keep({{name, value}}, invocation);
  }
  const bool asks = can_ask(invocation.terminal);
  if (invocation.terminal.in && !asks) refuse("can't prompt: stderr is not a terminal", "give the value on stdin");
  const auto value = asks ? ask_secret("Value of " + name) : without_newline(whole_stdin());
  if (value.empty()) refuse(fmt::format("{}: the value is empty", name), "give it on stdin: rv env set NAME < FILE");
  return keep({{name, value}}, invocation);
}

int import(const EnvOptions& options, const Invocation& invocation) {
  const std::string& file = options.words.front();
  const auto text = file == "-" ? whole_stdin() : os::read_file(file);
  if (!text) refuse(fmt::format("{} does not exist", file), "rv env import .env, or - for stdin");
  const NamedValues values = parse_env_file(*text, file == "-" ? "stdin" : file);
  if (values.empty()) refuse(fmt::format("{} sets no variable", file), "lines have the form NAME=value");
  return keep(values, invocation);
}

int remove_environments(const EnvOptions& options, const Invocation& invocation) {
  std::vector<std::string> known;
  for (const auto& variable : user_secrets(invocation.settings.home)) known.push_back(variable.name);
  for (const auto& name : options.words) {
    if (remove_user_secret(invocation.settings.home, name)) continue;
    refuse(fmt::format("rv env has no variable \"{}\"{}", name, suggestion(name, known)), "rv env list names them");
  }
  return 0;
}

int list(const Invocation& invocation) {
  const auto variables = user_secrets(invocation.settings.home);
  if (invocation.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& variable : variables) {
      rows.push_back(
          {{"name", variable.name}, {"bytes", variable.bytes}, {"set", variable.set.time_since_epoch().count()}});
    }
    fmt::print("{}", json_text({{"variables", rows}}));
    return 0;
  }
  if (variables.empty()) {
    fmt::print(stderr, "rv: no variables; rv env set NAME stores one for every job\n");
    return 0;
  }
  Table table;
  table.column("NAME");
  table.column("VALUE");
  table.column("BYTES", Table::Align::right);
  table.column("SET");
  const auto now = current_time();
  for (const auto& variable : variables) {
    // Each value is shown as the same number of stars: others may see the screen, and the length is secret too.
    table.row({variable.name, "********", std::to_string(variable.bytes),
               format_duration(std::max(now - variable.set, std::chrono::seconds(0))) + " ago"});
  }
  fmt::print("{}", table.text(invocation.terminal.table_width(), invocation.terminal.colour));
  return 0;
}

int act(const EnvOptions& options, const Invocation& invocation) {
  if (options.action == "set") return set(options, invocation);
  if (options.action == "import") return import(options, invocation);
  return options.action == "rm" ? remove_environments(options, invocation) : list(invocation);
}

/// Values come from this machine's files and environment, and rv env goes to the login node with them by itself.
bool reads_values_here(const CLI::App& called) {
  return given(called, "--from-env") || given_texts(called, "action") == std::vector<std::string>{"import"};
}

void add_env(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<EnvOptions>();
  add_option(command, "action", options->action, "set, list (the default), rm or import")
      .type_name("set|list|rm|import");
  add_option(command, "words", options->words, "set: a name; rm: names; import: a file, or - for stdin")
      .type_name("[NAME…]");
  add_flag(command, "--from-env", options->from_env, "with set: take the value from the variable of your environment");
  set_footer(command,
             "rv prompts for a value or reads it from stdin. Values are never arguments.\n"
             "\n"
             "Examples:\n"
             "  rv env set WANDB_API_KEY             prompt, without showing the value\n"
             "  rv env set HF_TOKEN < token.txt\n"
             "  rv env set HF_TOKEN --from-env\n"
             "  rv env import .env\n"
             "  rv env list\n"
             "  rv env rm HF_TOKEN");
  set_callback(command, [=, &invocation, &action] {
    check_words(*options);
    action = [=, &invocation] { return act(*options, invocation); };
  });
}

}  // namespace

extern const Command env_command{
    .name = "env",
    .summary = "Store variables for your jobs: keys, tokens, passwords",
    .group = groups::other,
    .stays_here = reads_values_here,
    .add = add_env,
};

}  // namespace rv::cli
