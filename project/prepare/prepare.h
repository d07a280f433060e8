// A project's environment, ready for use: found, waited for, or made.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/terminal.h"
#include "project/dependencies.h"
#include "project/prepare/environment_store.h"

namespace rv::project {

/// What a project needs, here.
struct Wanted {
  Dependencies dependencies;
  EnvironmentChoice choice;
  std::vector<std::string> setup;  // shell lines, the site's and the project's
  std::string scratch;             // absolute
  std::string name;                // see environment_name.h; empty where nothing is to be made
  std::vector<std::string> code;   // see executed_code.h
};

/// Looks at the first of `folders` that says something of dependencies, by its files or its settings; at none: nothing.
/// `pushed`: they are copies from another machine, whose .venv is none here. Throws Error(usage) for settings or files
/// that contradict each other, and for those that another user owns or can write to.
std::optional<Wanted> find_wanted(const std::vector<std::string>& folders, const std::vector<std::string>& setup_lines,
                                  const std::string& scratch, bool pushed = false);

/// Where a wanted environment is now; nothing when it is still to be made. One of the user's own is taken as it is.
std::optional<Environment> ready(const Wanted& wanted);

/// Where one that is still to be made would be.
Environment expected(const Wanted& wanted);

struct Preparation {
  bool rebuild = false;  // make a new one, whatever there is
  os::Terminal terminal;
  bool quiet = false;                                // no progress
  std::function<void(const std::string& line)> say;  // one line for people
  std::function<void()> before;                      // called once before something is made
};

/// Makes it, unless another process has done so meanwhile. Throws Error with the last lines of what failed; then there
/// is none.
Environment prepare(const Wanted& wanted, const Preparation& preparation);

}  // namespace rv::project
