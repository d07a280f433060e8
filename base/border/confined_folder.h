// Writing files that another machine named, below one folder.
#pragma once

#include <string>
#include <string_view>

#include "base/border/report_name.h"
#include "shared/system/descriptor.h"

namespace rv {

/// No path component is followed where it is a symbolic link, so nothing is written outside the folder, whatever lies
/// in it (openat with O_NOFOLLOW for each component).
class ConfinedFolder {
 public:
  /// Opens the folder; makes it (0700, parents too) if it does not exist. Throws Error, also if it is a symbolic link.
  explicit ConfinedFolder(const std::string& path);

  /// Writes a new file (0600, O_EXCL) beside the old one and renames it. Makes missing folders. Throws Error if a
  /// folder's name belongs to something else, or if the system refuses.
  void replace(const ReportName& name, std::string_view content) const;

 private:
  std::string path_;
  os::Descriptor folder_;
};

}  // namespace rv
