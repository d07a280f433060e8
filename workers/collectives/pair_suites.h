#pragma once

#include <vector>

#include "workers/collectives/collective_suites.h"

namespace rv::workers {

/// The suites p2p and rounds (collective_suites.h). `cards`: the UUIDs of the ranks' GPUs.
void run_pairs(Peer& peer, Communicator& communicator, const CollectiveRequest& request,
               const std::vector<Json>& cards);
void run_rounds(Peer& peer, Communicator& communicator, const CollectiveRequest& request,
                const std::vector<Json>& cards);

}  // namespace rv::workers
