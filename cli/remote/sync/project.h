// Which folder on the laptop is the project that a command was called in, and what it is called on the cluster.
#pragma once

#include <optional>
#include <string>

namespace rv::sync {

struct Project {
  std::string root;    // absolute
  std::string folder;  // the caller's folder below the root: "" or "a/b"
};

/// The nearest folder from `folder` (absolute) upwards that holds a .git or a .rvignore; nothing when there is none.
/// The walk ends, with a note on stderr, at a folder or marker that another user owns or can write to
/// (base/trust/project_folder.h). The user's home folder and / count only with a .rvignore: a home that is kept in git
/// would be pushed as a whole.
std::optional<Project> find_project(const std::string& folder);

/// find_project() of the current folder. Throws Error(usage), saying what a project is, when it is in none.
Project current_project();

/// "net-1a2b3c4d": the last part of the root and a hash of the whole root and of this machine's name, so that two
/// laptops, or two clones, never share a folder on the cluster. Letters, digits, - _ and . only.
std::string project_name(const std::string& root, const std::string& machine);

}  // namespace rv::sync
