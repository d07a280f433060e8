// The folder of this laptop's project on the cluster, and the files of the last push.
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

  /// Nothing if no push is known.
  std::optional<FileStates> read() const;
  void write(const FileStates& states) const;

 private:
  std::string path_;
};

}  // namespace rv::sync
