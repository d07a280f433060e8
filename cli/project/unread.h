// Files that declare dependencies in a form that rv does not install from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/project/pyproject.h"

namespace rv::project {

struct Unread {
  std::string what;     // "poetry.lock", "[dependency-groups] of pyproject.toml"
  std::string way_out;  // what to do instead
};

/// Those of a folder, by its names and its pyproject.toml.
std::vector<Unread> unread_files(const std::vector<std::string>& names, const Pyproject& pyproject);

/// A note for each lock in the folder that pip does not read, with the command that exports it.
std::vector<std::string> unread_locks(const std::vector<std::string>& names);

}  // namespace rv::project
