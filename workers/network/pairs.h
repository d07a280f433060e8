#pragma once

#include <vector>

#include "workers/network/interfaces.h"
#include "workers/ranks/peer.h"

namespace rv::workers {

struct PairRequest {
  double seconds = 0.5;  ///< of each transfer
  int pings = 200;
  int streams = 8;                  ///< of the measurement with several streams; another one uses a single stream
  std::vector<std::string> only{};  ///< only these interfaces; empty: all that two ranks have
};

/// Rounds in which each rank meets every other rank once, and is in at most one pair per round (the circle method of
/// round-robin tournaments).
std::vector<std::vector<std::pair<int, int>>> pair_rounds(int world);

/// Measures every pair of ranks over TCP, on each interface: bandwidth each way with one stream and with several, in
/// GB/s (10⁹ bytes), and the round-trip time of 64 bytes in us. The pairs of a round measure at the same time. A
/// connection that only some pairs have, and a pair that is much slower than the others, are failures that name the
/// nodes.
void measure_pairs(Peer& peer, const PairRequest& request);

}  // namespace rv::workers
