#pragma once

#include "workers/storage/storage_suites.h"

namespace rv::workers {

struct VisibilityRequest {
  int rounds = 5;                    ///< each with another writer
  double seconds = 20;               ///< no round begins after this time
  double patience = 75;              ///< how long rv waits for the writes of another node (base/os/visibility.h)
  std::string settings_of = "home";  ///< the folder whose delay rv's patience must cover
};

/// Measures how long after one rank has created, appended to or renamed a file the other ranks see it: `LABEL seen …`,
/// in ms, the maximum of all rounds and ranks. Only the reader's clock is used: it starts when the writer's message
/// "done" arrives. So the clocks of nodes need not agree, and a delay shorter than that message takes (about a
/// millisecond) reads as 0. Each reader has read the folder before, so that its node has outdated entries in its cache.
/// A folder that only this machine can write to, with ranks on several machines, is not shared: that is a finding for
/// home, and not available for other folders.
void measure_visibility(Peer& peer, const VisibilityRequest& request, const WorkFolders& work,
                        const std::vector<UsableFolder>& folders);

/// The value of the setting visibility_lag that covers a delay: twice the maximum, plus 5 s.
int seconds_to_wait(double longest_ms);

}  // namespace rv::workers
