// Where a project of this laptop goes on the cluster, and what was pushed there last.
#pragma once

#include <optional>
#include <string>

#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/project.h"
#include "cli/settings/settings.h"

namespace rv::sync {

/// On the laptop: $RV_HOME/pushed/<project>-<hash of the login node's name and of rv's home there>.
class PushedList {
 public:
  PushedList(const std::string& home, const std::string& project, const HostSettings& there);

  /// Nothing when nothing was pushed, or nobody knows what.
  std::optional<FileStates> read() const;
  void write(const FileStates& states) const;

 private:
  std::string path_;
};

}  // namespace rv::sync
