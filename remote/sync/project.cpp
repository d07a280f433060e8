#include "remote/sync/project.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/sha256.h"
#include "base/variable.h"

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

bool is_project(const std::string& folder) {
  if (there(folder + "/.rvignore")) return true;
  return !folder.empty() && there(folder + "/.git") && !is_home(folder);
}

}  // namespace

std::optional<Project> find_project(const std::string& folder) {
  std::string root = folder == "/" ? "" : folder;
  while (true) {
    if (is_project(root)) {
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
  throw Error(fmt::format("{} is in no project: neither it nor a folder above it holds a .git or a .rvignore", folder),
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
