#include "cli/options/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/options/command_option.h"

namespace rv::cli {

namespace {

void add_completion(CLI::App& command, const Invocation&, Action& action) {
  auto shell = std::make_shared<std::string>();
  add_option(command, "SHELL", *shell, "bash, zsh or fish").required().type_name("bash|zsh|fish");
  set_footer(command,
             "Examples:\n"
             "  source <(rv completion bash)\n"
             "  rv completion zsh > ~/.zfunc/_rv\n"
             "  rv completion fish > ~/.config/fish/completions/rv.fish");
  set_callback(command, [&command, &action, shell] {
    action = [&command, shell] {
      const auto script = completion_script(*command.get_parent(), *shell);
      if (!script) {
        throw Error(fmt::format("no completion for the shell \"{}\"", *shell), "choose bash, zsh or fish",
                    ExitCode::usage);
      }
      fmt::print("{}", *script);
      return 0;
    };
  });
}

}  // namespace

extern const Command completion_command{
    .name = "completion",
    .summary = "Print a completion script for bash, zsh or fish",
    .group = groups::other,
    .example = "rv completion bash",
    .runs_on = RunsOn::here,
    .needs_settings = false,
    .add = add_completion,
};

}  // namespace rv::cli
