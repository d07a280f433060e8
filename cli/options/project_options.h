// Options for the project in the current folder: the same options for every command that starts a run of it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace rv::cli {

struct ProjectOptions {
  bool no_deps = false;
  bool trust_project = false;
};

/// Adds --no-deps and --trust-project.
void add_project_options(CLI::App& command, ProjectOptions& options, const std::string& group = "Options");

/// Adds --trust-project, for a command that always uses the project.
void add_trust_project(CLI::App& command, ProjectOptions& options, const std::string& group = "Options");

}  // namespace rv::cli
