// The kernel's word that something has changed in one of some folders.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

#include "shared/system/descriptor.h"

namespace rv::sync {

class WatchedFolders {
 public:
  WatchedFolders();

  /// From now on these, absolute, and those that have appeared in them and hold no file yet. False when the kernel
  /// watches no more (fs.inotify.max_user_watches), or at all.
  bool watch(const std::set<std::string>& folders);

  /// Waits for a change, at most this long. Returns false if none came, or after a signal.
  bool wait(std::chrono::milliseconds longest);

 private:
  bool add(const std::string& folder);
  void add_tree(const std::string& folder);

  os::Descriptor queue_;
  std::map<std::string, int> numbers_;
  std::map<int, std::string> folders_;
};

}  // namespace rv::sync
