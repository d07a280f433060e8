// Which files may be pulled. Pure: reads the differences on the cluster, the pushed files and the local files, and
// returns the choice.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/rsync_output.h"

namespace rv::sync {

struct PullChoice {
  std::vector<std::string> wanted;
  std::vector<std::string> kept;     // changed on the cluster and here: only --force takes the cluster's
  std::vector<std::string> blocked;  // a folder is in their place here
};

/// What is on this machine in the places of files that differ on the cluster.
struct HereStates {
  FileStates files;               // and links, also in the place of a folder that leads to such a file there
  std::set<std::string> folders;  // in the place of a file there
};

/// `differing`: files on the cluster that are not as they are here. A file that is unchanged since the push is skipped,
/// because then the edit (or the removal) here is the newer one. One that is as it was pushed here is wanted, and so is
/// one that is new. What differs from the pushed state on both sides is kept, or wanted when `force` is set. So is what
/// would remove a file here to make room for a folder; a folder is never removed.
PullChoice choose_pull(const std::vector<Transfer>& differing, const FileStates& pushed, const HereStates& here,
                       bool force);

}  // namespace rv::sync
