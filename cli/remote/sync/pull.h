// Copies the files that were changed on the cluster back to the laptop.
#pragma once

#include <string>
#include <vector>

#include "cli/remote/sync/push.h"

namespace rv::sync {

struct Pulled {
  std::string folder;             // the project's files on the login node
  Changes changes;                // here
  std::vector<std::string> kept;  // changed here since the last push, and there: left as they are
};

/// Brings new and changed files of the project here; deletes nothing. `force`: over local edits too. Throws Error.
Pulled pull(const PushOrder& order, bool force);

}  // namespace rv::sync
