#include "cli/options/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.h"
#include "cli/commands/commands.h"

namespace rv::cli {

void add_completion(CLI::App& app, const Invocation&, Action& action) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for bash, zsh or fish");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->footer(
      "Examples:\n"
      "  source <(rv completion bash)\n"
      "  rv completion zsh > ~/.zfunc/_rv\n"
      "  rv completion fish > ~/.config/fish/completions/rv.fish");
  command->callback([&app, &action, shell] {
    action = [&app, shell] {
      const auto script = completion_script(app, *shell);
      if (!script) {
        throw Error(fmt::format("no completion for the shell \"{}\"", *shell), "choose bash, zsh or fish",
                    ExitCode::usage);
      }
      fmt::print("{}", *script);
      return 0;
    };
  });
}

}  // namespace rv::cli
