#pragma once

#include <vector>

#include "workers/collectives/communicator.h"

namespace rv::workers {

struct CollectiveRequest {
  std::vector<Collective> collectives;  ///< empty: no sweep
  std::vector<ElementType> types{ElementType::fp32};
  std::vector<bool> placements{false, true};  ///< out of place, in place
  std::size_t begin = 8, end = std::size_t{8} << 30;
  double factor = 2;
  int iterations = 20;  ///< per sample, at most; fewer if one call takes long
  int samples = 3;
  double seconds = 0.5;  ///< of timing per figure, at most; longer only if a single call takes longer
  bool p2p = false, rounds = false, straggler = false;
  std::size_t p2p_bytes = std::size_t{64} << 20;
};

/// The sizes of a sweep in bytes: begin, begin·factor, … up to end.
std::vector<std::size_t> sweep_sizes(const CollectiveRequest& request);

/// Runs the requested suites on this rank; the request must be the same on all ranks. Rank 0 reports.
///   sweep: one figure (bus bandwidth) per collective, type, size and placement. Every element is checked before and
///     after the timing. The time is the mean over the ranks, as in nccl-tests, and the median over the samples.
///   p2p: every ordered pair of ranks by itself, one way and both ways. Pairs well below the median are named.
///   rounds: pairs of nodes, in rounds in which all pairs transfer at the same time (node_rounds.h), each rank to and
///     from the same one of the other node. A rank is named if even its fastest transfer is well below the others'.
///     Slow pairs of healthy nodes are not: on a network that narrows towards its centre, distant nodes share links.
///   straggler: every rank does the same arithmetic before a collective. A rank that takes much longer is named.
void run_collectives(Peer& peer, Communicator& communicator, const CollectiveRequest& request);

/// Returns the ranks that took more than `ratio` times the median, and more than five median absolute deviations above
/// it, so that ordinary spread names no rank. With two ranks the slower is compared with the faster.
std::vector<std::size_t> slow_ranks(const std::vector<double>& seconds, double ratio);

/// Returns the pairs below `ratio` times the upper quartile. The median would not do: one slow card of four slows half
/// of all pairs.
std::vector<std::size_t> slow_pairs(const std::vector<double>& speeds, double ratio);

}  // namespace rv::workers
