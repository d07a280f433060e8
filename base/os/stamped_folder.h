// A new folder that is removed again, unless it turns out to be worth keeping.
#pragma once

#include <string>

namespace rv::os {

class StampedFolder {
 public:
  /// Makes the folder, for this user only, and its parents. Its name begins with the time in UTC
  /// ("20261127-120000-1f3a"). Throws Error where it can't be made.
  explicit StampedFolder(const std::string& parent);
  /// Removes it with all that is in it, and its parent where it was the only one in there.
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
