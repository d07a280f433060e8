// A new folder that the destructor removes unless keep() was called.
#pragma once

#include <string>

namespace rv::os {

class StampedFolder {
 public:
  /// Creates the folder and its parents with mode 0700. The name begins with the time in UTC
  /// ("20261127-120000-1f3a"). Throws Error if it can't be created.
  explicit StampedFolder(const std::string& parent);
  /// Removes the folder and its content, and the parent if it is then empty.
  ~StampedFolder();
  StampedFolder(const StampedFolder&) = delete;
  StampedFolder& operator=(const StampedFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string name() const { return path_.substr(path_.rfind('/') + 1); }
  void keep() { kept_ = true; }
  void discard() { kept_ = false; }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace rv::os
