#include "cli/remote/sync/inside_path.h"

#include <sys/stat.h>

#include <algorithm>

namespace rv::sync {

bool is_inside(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  while (true) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == path.size()) return true;
    path.remove_prefix(end + 1);
  }
}

bool LinkedFolders::leads_through_link(const std::string& path) {
  const std::size_t end = path.rfind('/');
  if (end == std::string::npos) return false;
  const std::string folder = path.substr(0, end);
  if (const auto known = linked_.find(folder); known != linked_.end()) return known->second;
  struct stat status {};
  const bool linked =
      leads_through_link(folder) || (::lstat((root_ + "/" + folder).c_str(), &status) == 0 && S_ISLNK(status.st_mode));
  linked_.emplace(folder, linked);
  return linked;
}

}  // namespace rv::sync
