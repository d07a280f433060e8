#include "planner/replay/nodes/free_node_index.h"

#include <doctest/doctest.h>

#include <numeric>
#include <random>

#include "tests/planner/replay/cpu_nodes.h"

using namespace rv;
using namespace rv::planner;

namespace {

/// Nodes with 8 CPUs; demands of 1 … 8 of them, and a shape for each: on every node, and on every third.
ReplayModel cpu_model(int nodes) {
  ReplayModel model = test::cpu_nodes(nodes);
  for (int cpus = 1; cpus <= 8; ++cpus) {
    Demand demand;
    demand.cpus = cpus;
    model.demands.push_back(demand);
    for (const int step : {1, 3}) {
      Shape shape;
      shape.demand = cpus - 1;
      for (int i = 0; i < nodes; i += step) shape.places.push_back(i);
      model.shapes.push_back(shape);
    }
  }
  return model;
}

std::vector<int> free_places(FreeNodeIndex& index, int shape) {
  std::vector<int> found;
  index.each_free(shape, [&](int node) {
    found.push_back(node);
    return true;
  });
  return found;
}

}  // namespace

TEST_CASE("the index of nodes with room is correct after few and after many changes") {
  std::mt19937 chance(11);
  const auto below = [&](int bound) { return static_cast<int>(chance() % static_cast<unsigned>(bound)); };
  constexpr int count = 150;
  const ReplayModel model = cpu_model(count);
  std::vector<int> nodes(count);
  std::iota(nodes.begin(), nodes.end(), 0);
  NodeTimeline timeline(model);
  FreeNodeIndex index(model, timeline);
  timeline.enter(nodes);
  index.enter(nodes);
  for (int trial = 0; trial < 3; ++trial) {
    timeline.reset();
    index.reset();
    std::vector<int> held(count, 0);
    ReplayTime now = 0;
    for (const int changes : {1, 3, 24, 25, 60, 400, 2, 0, 90}) {
      for (int i = 0; i < changes; ++i) {
        const int node = below(count);
        if (held[node] == 0) {
          NodeResources part;
          part.cpus = held[node] = 1 + below(8);
          timeline.hold(node, part, now + 100 + node, node);
        } else {
          held[node] = 0;
          timeline.release(node, node);
        }
      }
      ++now;
      for (std::size_t s = 0; s < model.shapes.size(); ++s) {
        const Shape& shape = model.shapes[s];
        // Some shapes are not asked for a while, and have more to catch up with.
        if (below(3) == 0) continue;
        std::vector<int> expected;
        for (const int node : shape.places) {
          if (8 - held[node] >= model.demands[shape.demand].cpus) expected.push_back(node);
        }
        const auto number = static_cast<int>(s);
        CHECK(free_places(index, number) == expected);
        CHECK(index.free_count(number) == static_cast<int>(expected.size()));
        EarliestStartQueue& queue = index.places_by_time(number, now);
        for (const int node : expected) {
          const auto next = queue.earliest(now);
          REQUIRE(next);
          CHECK(shape.places[next->place] == node);
          queue.remove(next->place);
        }
        CHECK_FALSE(queue.earliest(now));
      }
    }
  }
}
