#pragma once

#include <vector>

#include "workers/network/interfaces.h"
#include "workers/ranks/peer.h"

namespace rv::workers {

struct PairRequest {
  double seconds = 0.5;  ///< of each stretch of sending
  int pings = 200;
  int streams = 8;                  ///< beside one
  std::vector<std::string> only{};  ///< these interfaces; empty: all that two ranks have
};

/// Rounds in which everybody meets everybody once, and each rank is in at most one pair (the circle method of
/// round-robin tournaments).
std::vector<std::vector<std::pair<int, int>>> pair_rounds(int world);

/// Bandwidth of every pair of ranks over TCP, each way, by one stream and by several, in GB/s (10⁹ bytes), and the time
/// there and back of 64 bytes in us; by interface. The pairs of a round measure at once. A way that only some pairs
/// have, and a pair much slower than the others, is a failure that names the nodes.
void measure_pairs(Peer& peer, const PairRequest& request);

}  // namespace rv::workers
