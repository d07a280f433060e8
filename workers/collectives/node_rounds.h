#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rv::workers {

/// Up to this number of nodes every pair has its round.
inline constexpr std::size_t most_nodes_in_all_pairs = 16;

using NodePairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Returns pairs of nodes in rounds (the circle method of round-robin tournaments). Each node has at most one partner
/// in a round. Up to 16 nodes the rounds have every pair once; for more nodes there are only about 2 log2(nodes)
/// rounds, so each node meets that many others. None for fewer than two nodes.
std::vector<NodePairs> node_rounds(std::size_t nodes);

}  // namespace rv::workers
