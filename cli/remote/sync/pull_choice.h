// Which files may be pulled. Pure: reads the differences on the cluster, the pushed files and the local files, and
// returns the choice.
#pragma once

#include <string>
#include <vector>

#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/rsync_output.h"

namespace rv::sync {

struct PullChoice {
  std::vector<std::string> wanted;
  std::vector<std::string> kept;  // changed on the cluster and here: only --force takes the cluster's
};

/// `differing`: files on the cluster that are not as they are here. A file that is unchanged since the push is skipped,
/// because then the edit (or the removal) here is the newer one. One that is as it was pushed here is wanted, and so is
/// one that is new. What differs from the pushed state on both sides is kept, or wanted when `force` is set.
PullChoice choose_pull(const std::vector<Transfer>& differing, const FileStates& pushed, const FileStates& here,
                       bool force);

}  // namespace rv::sync
