#include "workers/collectives/node_rounds.h"

#include <doctest/doctest.h>

#include <set>

using namespace rv::workers;

namespace {

/// All pairs of the rounds; none if a node has two partners in a round, or a pair occurs twice.
std::set<std::pair<std::size_t, std::size_t>> pairs_in(const std::vector<NodePairs>& rounds, std::size_t nodes) {
  std::set<std::pair<std::size_t, std::size_t>> all;
  for (const auto& round : rounds) {
    std::set<std::size_t> busy;
    for (const auto& pair : round) {
      const bool fits = pair.first < pair.second && pair.second < nodes;
      if (!fits || !busy.insert(pair.first).second || !busy.insert(pair.second).second) return {};
      if (!all.insert(pair).second) return {};
    }
  }
  return all;
}

}  // namespace

TEST_CASE("up to sixteen nodes, every pair meets once, in as few rounds as possible") {
  CHECK(node_rounds(0).empty());
  CHECK(node_rounds(1).empty());
  for (std::size_t nodes = 2; nodes <= 16; ++nodes) {
    CAPTURE(nodes);
    const auto rounds = node_rounds(nodes);
    CHECK(rounds.size() == nodes - 1 + nodes % 2);
    CHECK(pairs_in(rounds, nodes).size() == nodes * (nodes - 1) / 2);
  }
}

TEST_CASE("of many nodes, each meets about 2 log2 of them") {
  for (const std::size_t nodes : {17U, 64U, 1000U}) {
    CAPTURE(nodes);
    const auto rounds = node_rounds(nodes);
    CHECK(rounds.size() <= 20);
    std::vector<int> met(nodes, 0);
    for (const auto& [one, other] : pairs_in(rounds, nodes)) {
      ++met[one];
      ++met[other];
    }
    for (const int times : met) CHECK(times >= static_cast<int>(rounds.size()) - 1);
  }
}
