// A project's environment, ready for use: found, waited for, or made.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/terminal.h"
#include "cli/project/dependencies.h"
#include "cli/project/prepare/environment_store.h"

namespace rv::project {

/// Prepares a project's dependencies on this machine.
struct EnvironmentRequest {
  Dependencies dependencies;
  EnvironmentChoice choice;
  std::vector<std::string> setup;  // shell lines, the site's and the project's
  std::string scratch;             // absolute
  std::string name;                // see environment_name.h; empty where nothing is to be made
  std::vector<std::string> code;   // see executed_code.h
  std::string start;               // the folder from which it is found again; of a uv workspace a member's
  std::string script;              // in that folder, where its own block is what counts; empty: none
};

/// The files and options that declare the dependencies.
struct ProjectPlace {
  std::vector<std::string> folders;  // the nearest first
  std::string script;                // its path, in the first of them; empty: none
  bool pushed = false;               // they are copies from another machine, whose .venv is none here
};

/// Takes a script's own block, else the first of the folders that says something of dependencies, by its files or its
/// settings; a member of a uv workspace takes its root. At none: the first with files that rv does not install from, or
/// nothing. Throws Error(usage) for settings or files that contradict each other, and for those that another user owns
/// or can write to.
std::optional<EnvironmentRequest> find_wanted(const ProjectPlace& place, const std::vector<std::string>& setup_lines,
                                              const std::string& scratch);

/// Where a wanted environment is now; nothing when it is still to be made. One of the user's own is taken as it is.
std::optional<Environment> ready(const EnvironmentRequest& wanted);

/// The path of an environment that does not exist yet.
Environment expected(const EnvironmentRequest& wanted);

struct Preparation {
  bool rebuild = false;  // make a new one even if one exists
  os::Terminal terminal;
  bool quiet = false;                                // no progress
  std::function<void(const std::string& line)> say;  // one line for people
  std::function<void()> before;                      // called once before something is made
};

/// Makes it, unless another process has done so meanwhile. Throws Error with the last lines of what failed; then there
/// is none.
Environment prepare(const EnvironmentRequest& wanted, const Preparation& preparation);

}  // namespace rv::project
