// Copies the files that were changed on the cluster back to the laptop.
#pragma once

#include <string>
#include <vector>

#include "cli/remote/sync/push.h"

namespace rv::sync {

struct Pulled {
  std::string folder;                // the project's files on the login node
  Changes changes;                   // here
  std::vector<std::string> kept;     // changed here since the last push, and there: left as they are
  std::vector<std::string> blocked;  // a folder is in their place here
};

/// Brings new and changed files of the project here; deletes nothing. `force`: over local edits too, and in the place
/// of a file where the cluster has a folder. Throws Error.
Pulled pull(const PushOrder& order, bool force);

}  // namespace rv::sync
