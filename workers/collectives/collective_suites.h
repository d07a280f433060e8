#pragma once

#include <vector>

#include "workers/collectives/communicator.h"

namespace rv::workers {

struct CollectiveRequest {
  std::vector<Collective> collectives;  ///< none: the sweep is not asked for
  std::vector<ElementType> types{ElementType::fp32};
  std::vector<bool> placements{false, true};  ///< out of place, in place
  std::size_t begin = 8, end = std::size_t{8} << 30;
  double factor = 2;
  int iterations = 20;  ///< per sample, at most; fewer where one takes long
  int samples = 3;
  double seconds = 0.5;  ///< of timing per figure, at most, if one call does not take longer
  bool p2p = false, straggler = false;
  std::size_t p2p_bytes = std::size_t{64} << 20;
};

/// The sizes of a sweep, bytes: begin, begin·factor, … not above end.
std::vector<std::size_t> sweep_sizes(const CollectiveRequest& request);

/// Runs what is asked on this rank; all ranks must be asked the same. Rank 0 reports.
///   sweep: one figure per collective, type, size and placement: bus bandwidth; every element is checked before and
///     after the timing. Time is the mean over ranks, as nccl-tests has it, the median over samples.
///   p2p: every ordered pair alone, one way and both ways; pairs well below the others' median are named.
///   straggler: every rank does the same arithmetic before a collective; one whose time stands out is named.
void run_collectives(Peer& peer, Communicator& communicator, const CollectiveRequest& request);

/// Ranks that took more than `ratio` times the median, and more than five median absolute deviations above it, so that
/// spread alone names nobody. Of two ranks the slower is measured by the faster.
std::vector<std::size_t> slow_ranks(const std::vector<double>& seconds, double ratio);

/// Pairs below `ratio` times the upper quartile. One bad card of four slows half of all pairs down, so the median would
/// take its side.
std::vector<std::size_t> slow_pairs(const std::vector<double>& speeds, double ratio);

}  // namespace rv::workers
