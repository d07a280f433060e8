#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/os/local_command.h"
#include "base/walltime.h"
#include "base/wrong_value.h"
#include "cli/commands/commands.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/user_command.h"
#include "cli/options/value_option.h"

namespace rv::cli {

namespace {

constexpr std::chrono::seconds grace{5};

/// A bare number is seconds here: a time-out of minutes is rare on a login node.
std::chrono::seconds timeout_value(const std::string& option, const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const auto value =
      digits ? std::chrono::seconds(count_value(option, text, 0, 100'000'000)) : duration_value(option, text);
  if (value == std::chrono::seconds(0)) {
    throw wrong_value(
        option, text, "a length of time above 0",
        fmt::format("write it like {} 30s or {} 5m, or remove it to run without a limit", option, option));
  }
  return value;
}

int exec(const std::vector<std::string>& words, std::optional<std::chrono::seconds> limit) {
  const os::LocalCommandEnd end = os::run_local(command_argv(words), limit, grace);
  if (end.timed_out) {
    throw Error(fmt::format("{} was ended after {} (--timeout)", words.front(), format_duration(*limit)),
                "give it more time, or run it on GPUs: rv run", ExitCode::timed_out);
  }
  return end.exit_code;
}

void add_exec(CLI::App& command, const Invocation& invocation, Action& action) {
  auto timeout = std::make_shared<std::optional<std::chrono::seconds>>();
  add_value(command, "--timeout", *timeout, timeout_value, "end the command and its processes after this time: 30s, 5m")
      .type_name("TIME");
  add_user_command(command, "the command and its arguments, or a shell command as one argument", true);
  set_footer(command,
             "Examples:\n"
             "  rv exec hostname\n"
             "  rv exec --timeout 30s 'du -sh results | sort -h'\n"
             "  rv exec -- ls -la");
  set_callback(command, [&invocation, &action, timeout] {
    action = [&invocation, timeout] { return exec(invocation.user_command, *timeout); };
  });
}

}  // namespace

extern const Command exec_command{
    .name = "exec",
    .summary = "Run a command on this login node, in this folder",
    .group = groups::other,
    .needs_settings = false,
    .when_lost = "the command may still run there: ssh {0} ps x lists your processes",
    .add = add_exec,
};

}  // namespace rv::cli
