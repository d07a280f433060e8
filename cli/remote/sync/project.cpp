#include "cli/remote/sync/project.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/text.h"
#include "base/trust/project_folder.h"
#include "base/variable.h"
#include "shared/sha256.h"

namespace rv::sync {

namespace {

constexpr std::size_t longest_name = 40;

bool there(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

bool is_home(const std::string& folder) {
  std::error_code unknown;  // HOME may lead there through links
  return std::filesystem::equivalent(folder, variable("HOME"), unknown);
}

/// ".rvignore", ".git", or nothing if the folder is not a project.
std::string marker_of(const std::string& folder) {
  if (there(folder + "/.rvignore")) return ".rvignore";
  return !folder.empty() && there(folder + "/.git") && !is_home(folder) ? ".git" : "";
}

/// A folder that another user made into a project: what is below it belongs to no project.
void say_not_used(const std::string& folder, const std::string& reason) {
  static std::set<std::string> said;
  if (!said.insert(folder).second) return;
  fmt::print(stderr, "rv: note: {} is not used as the project ({})\n", one_line(folder.empty() ? "/" : folder), reason);
  fmt::print(stderr, "rv: note: {}\n", trust::project_way_out(folder));
}

}  // namespace

std::optional<Project> find_project(const std::string& folder) {
  std::string root = folder == "/" ? "" : folder;
  while (true) {
    const std::string marker = marker_of(root);
    if (const auto reason = trust::marker_distrust(root, marker); !marker.empty() && !reason.empty()) {
      say_not_used(root, reason);
      return std::nullopt;
    }
    if (!marker.empty()) {
      const std::string below = folder.substr(std::min(root.size() + 1, folder.size()));
      return Project{root.empty() ? "/" : root, below};
    }
    if (root.empty()) return std::nullopt;
    root.erase(root.rfind('/'));
  }
}

Project current_project() {
  const std::string folder = os::current_folder();
  if (auto project = find_project(folder)) return *project;
  throw Error(fmt::format("{} is not in a project: neither it nor a folder above contains .git or .rvignore", folder),
              "an empty .rvignore makes a folder a project: touch .rvignore", ExitCode::usage);
}

std::string project_name(const std::string& root, const std::string& machine) {
  std::string name;
  for (const char character : root.substr(root.rfind('/') + 1).substr(0, longest_name)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' ||
                       character == '-' || (character == '.' && !name.empty());
    name += plain ? character : '_';
  }
  if (name.empty()) name = "root";
  return name + "-" + sha256_hex(machine + "\n" + root).substr(0, 8);
}

}  // namespace rv::sync
