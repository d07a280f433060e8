// Relative paths that git's index or another machine names, and whether they lie in the folder that they belong to.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace rv::sync {

/// A relative path without "..", "." and empty parts and without NUL.
bool is_inside(std::string_view path);

/// Finds paths below symbolic links, and caches the folders that it has checked.
class LinkedFolders {
 public:
  /// `root`: an absolute folder, whose own links do not count.
  explicit LinkedFolders(std::string root) : root_(std::move(root)) {}

  /// One of the folders between the root and the relative `path` is a link.
  bool leads_through_link(const std::string& path);

 private:
  std::string root_;
  std::map<std::string, bool, std::less<>> linked_;
};

}  // namespace rv::sync
