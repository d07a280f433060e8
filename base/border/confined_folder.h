// Writes files whose names come from another machine, below one folder.
#pragma once

#include <string>
#include <string_view>

#include "base/border/report_name.h"
#include "shared/system/descriptor.h"

namespace rv {

/// Symbolic links are not followed in any component of a path, so nothing is written outside the folder (openat with
/// O_NOFOLLOW for each component).
class ConfinedFolder {
 public:
  /// Opens the folder, or creates it and its parents (0700). Throws Error, also if it is a symbolic link.
  explicit ConfinedFolder(const std::string& path);

  /// Writes a new file (0600, O_EXCL) beside the old one and renames it. Creates missing folders. Throws Error if a
  /// component of the path exists and is not a folder, or if a system call fails.
  void replace(const ReportName& name, std::string_view content) const;

 private:
  std::string path_;
  os::Descriptor folder_;
};

}  // namespace rv
