#include "cli/remote/sync/project_store.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/quote.h"
#include "cli/remote/hop/remote_script.h"

namespace rv::sync {

namespace {

bool is_project_name(const std::string& name) {
  return is_plain_word(name) && name.find('/') == std::string::npos && name.front() != '.';
}

/// Whether the path stays in the project: no "..", nothing absolute, and no folder on the way that is a link.
bool stays_inside(const std::string& files, const std::string& path) {
  if (path.empty() || path.front() == '/') return false;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
    struct stat status {};
    const bool last = end == path.size();
    if (!last && (::lstat((files + "/" + path.substr(0, end)).c_str(), &status) != 0 || !S_ISDIR(status.st_mode))) {
      return false;
    }
  }
  return path.back() != '/';
}

}  // namespace

std::string projects_folder(const std::string& home) {
  return home + "/projects";
}

ProjectStore::ProjectStore(const std::string& home, const std::string& name)
    : path_(projects_folder(home) + "/" + name) {
  if (!is_project_name(name)) {
    throw Error(fmt::format("invalid project name \"{}\"", name), "use rv sync", ExitCode::usage);
  }
}

os::FileLock lock_project(const ProjectStore& store, os::LockMode mode) {
  auto lock = os::FileLock::wait(store.path() + "/lock", mode);
  if (!lock) {
    throw Error(fmt::format("can't open {}/lock: {}", store.path(), std::strerror(errno)),
                "check the folder's permissions and the disk's space there");
  }
  return std::move(*lock);
}

std::vector<std::string> remove_files(const ProjectStore& store, const std::vector<std::string>& paths, bool look) {
  const std::string files = store.files();
  std::vector<std::string> removed;
  for (const auto& path : paths) {
    if (!stays_inside(files, path)) continue;
    const std::string whole = (std::filesystem::path(files) / path).string();
    struct stat status {};
    if (::lstat(whole.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) continue;
    if (!look && ::unlink(whole.c_str()) != 0) continue;
    removed.push_back(path);
    if (look) continue;
    for (std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
      if (::rmdir((files + "/" + path.substr(0, slash)).c_str()) != 0) break;
    }
  }
  return removed;
}

std::vector<std::string> project_names(const std::string& home) {
  std::vector<std::string> names;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(projects_folder(home), fault)) {
    std::string name = entry.path().filename();
    std::error_code unknown;
    if (is_project_name(name) && entry.is_directory(unknown)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace rv::sync
