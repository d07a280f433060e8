#include "cli/remote/sync/project_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/border/checked_name.h"
#include "base/error.h"
#include "base/trust/project_folder.h"
#include "base/trust/regular_file.h"
#include "cli/remote/sync/git.h"
#include "cli/remote/sync/inside_path.h"
#include "cli/remote/sync/pull_folder.h"

namespace rv::sync {

namespace {

namespace fs = std::filesystem;

std::string in(const std::string& root, const std::string& path) {
  return (fs::path(root) / path).string();
}

/// git executes commands from the configuration in .git, so another user's is ignored.
bool is_own_work_tree(const std::string& folder) {
  return ::access((folder + "/.git").c_str(), F_OK) == 0 && trust::marker_distrust(folder, ".git").empty();
}

bool in_work_tree(std::string folder) {
  while (!folder.empty()) {
    if (is_own_work_tree(folder)) return true;
    if (::access((folder + "/.git").c_str(), F_OK) == 0) return false;  // another user's
    folder.erase(folder.rfind('/'));
  }
  return false;
}

void add_git_files(const std::string& root, const std::string& below, FileStates& states);

/// `below`: "" or "a/b/".
void add_all_files(const std::string& root, const std::string& below, FileStates& states) {
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(in(root, below), fault)) {
    const std::string name = entry.path().filename();
    const std::string path = below + name;
    if (name == ".git" || name == pull_folder) continue;
    std::error_code unknown;
    if (entry.is_symlink(unknown) || !entry.is_directory(unknown)) {
      if (const auto state = state_of(in(root, path))) states.emplace(path, *state);
    } else if (is_own_work_tree(in(root, path))) {
      add_git_files(root, path + "/", states);
    } else {
      add_all_files(root, path + "/", states);
    }
  }
  if (fault) {
    throw Error(fmt::format("can't read the folder {}/{}: {}", root, below, fault.message()),
                "make it readable, or move it out of the project");
  }
}

void add_git_files(const std::string& root, const std::string& below, FileStates& states) {
  LinkedFolders folders(in(root, below));
  for (std::string path : git_files(in(root, below))) {
    if (path.ends_with('/')) path.pop_back();
    // An index from elsewhere may name anything; what it has below a link, git takes for deleted.
    if (!is_inside(path)) {
      throw Error(fmt::format("git's index in {} names a file outside: {}", in(root, below), printable(path)),
                  "if you did not create this work tree yourself, clone it again");
    }
    if (folders.leads_through_link(path)) continue;
    path.insert(0, below);
    if (const auto state = state_of(in(root, path))) {
      states.emplace(path, *state);
    } else if (is_own_work_tree(in(root, path))) {  // a submodule, or a clone inside
      add_git_files(root, path + "/", states);
    }
  }
}

}  // namespace

FileStates project_files(const std::string& root) {
  FileStates states;
  if (in_work_tree(root)) {
    add_git_files(root, "", states);
  } else {
    add_all_files(root, "", states);
  }
  const auto patterns = trust::read_project_file(root + "/.rvignore");
  if (!patterns) return states;
  std::vector<std::string> paths;
  paths.reserve(states.size());
  for (const auto& [path, state] : states) paths.push_back(path);
  for (const auto& path : matched_by(*patterns, paths)) states.erase(path);
  return states;
}

std::vector<std::string> left_out(const std::string& root, const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const auto& path : paths) {
    const std::string framed = "/" + path + "/";
    if (framed.find("/.git/") != std::string::npos) found.push_back(path);
  }
  if (in_work_tree(root)) {
    for (auto& path : git_ignored(root, paths)) found.push_back(std::move(path));
  }
  if (const auto patterns = trust::read_project_file(root + "/.rvignore")) {
    for (auto& path : matched_by(*patterns, paths)) found.push_back(std::move(path));
  }
  return found;
}

}  // namespace rv::sync
