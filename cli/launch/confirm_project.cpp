#include "cli/launch/confirm_project.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/project/prepare/trusted_code.h"
#include "cli/project/project_settings.h"
#include "cli/setup/ask.h"

namespace rv::cli {

void confirm_project(const ProjectNeeds& needs, const Invocation& invocation, bool trusted) {
  const auto& code = needs.wanted.code;
  const std::string& home = invocation.settings.home;
  if (project::is_trusted_code(home, code)) return;
  if (trusted) return project::trust_code(home, code);
  std::string lines;
  for (const auto& line : code) lines += "\n  " + one_line(line);
  const std::string folder = one_line(needs.wanted.dependencies.folder);
  // On the login node the laptop's terminal is not there to answer.
  if (can_ask(invocation.terminal) && !invocation.hop && !invocation.json) {
    fmt::print(stderr, "rv: the project in {} runs this on this machine and in its jobs:{}\n", folder, lines);
    if (ask("Run it now, and later if it is unchanged? y or n", "n") == "y") return project::trust_code(home, code);
    throw Error("the project's code is not trusted, so nothing was started", "--no-deps uses no environment",
                ExitCode::usage);
  }
  throw Error(fmt::format("the project in {} runs its own code on this machine, and you have not agreed to it yet:{}",
                          folder, lines),
              "read it; --trust-project, or rv deps --trust-project, agrees to it until it changes; --no-deps uses no "
              "environment",
              ExitCode::usage);
}

}  // namespace rv::cli
