#pragma once

#include "workers/storage/storage_suites.h"

namespace rv::workers {

struct VisibilityRequest {
  int rounds = 5;                    ///< each of another writer
  double seconds = 20;               ///< after which no round begins
  double patience = 75;              ///< how long rv waits for what another node has written (base/os/visibility.h)
  std::string settings_of = "home";  ///< the folder whose delay rv's patience has to cover
};

/// How long after one rank has made, appended to or renamed a file the others see it: as `LABEL seen …`, in ms, the
/// longest of all rounds and ranks. The clock is the reader's own: it begins when the writer's word that it is done has
/// come, so the clocks of nodes need not agree, and a delay below that word's way (a millisecond) reads as 0. Each
/// reader has looked before, so that what its node remembers is wrong. A folder that only this machine can write to, on
/// ranks of several machines, is not shared: of home that is a finding, of others not available.
void measure_visibility(Peer& peer, const VisibilityRequest& request, const WorkFolders& work,
                        const std::vector<UsableFolder>& folders);

/// The value of the setting visibility_lag that covers a delay: twice the longest that was seen, and 5 s.
int seconds_to_wait(double longest_ms);

}  // namespace rv::workers
