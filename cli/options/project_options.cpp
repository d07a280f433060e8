#include "cli/options/project_options.h"

#include "cli/options/command_option.h"

namespace rv::cli {

void add_project_options(CLI::App& command, ProjectOptions& options, const std::string& group) {
  add_flag(command, "--no-deps", options.no_deps, "don't install or use the project's dependencies").group(group);
  add_trust_project(command, options, group);
}

void add_trust_project(CLI::App& command, ProjectOptions& options, const std::string& group) {
  add_flag(command, "--trust-project", options.trust_project,
           "allow the project's set-up lines and build scripts to run")
      .group(group);
}

}  // namespace rv::cli
