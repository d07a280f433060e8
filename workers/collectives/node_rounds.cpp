#include "workers/collectives/node_rounds.h"

#include <algorithm>
#include <bit>

namespace rv::workers {

std::vector<NodePairs> node_rounds(std::size_t nodes) {
  if (nodes < 2) return {};
  const std::size_t seats = nodes + nodes % 2;  // with an odd number, the partner of the last seat has a pause
  std::size_t count = seats - 1;
  if (nodes > most_nodes_in_all_pairs) count = 2 * static_cast<std::size_t>(std::bit_width(nodes - 1));
  std::vector<NodePairs> rounds(count);
  for (std::size_t round = 0; round < count; ++round) {
    // The last seat stays, the others move on by one.
    const auto at = [&](std::size_t seat) { return seat == seats - 1 ? seat : (seat + round) % (seats - 1); };
    for (std::size_t seat = 0; seat < seats / 2; ++seat) {
      const auto [one, other] = std::minmax({at(seat), at(seats - 1 - seat)});
      if (other < nodes) rounds[round].emplace_back(one, other);
    }
  }
  return rounds;
}

}  // namespace rv::workers
