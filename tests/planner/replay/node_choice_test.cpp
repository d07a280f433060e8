#include "planner/replay/passes/node_choice.h"

#include <doctest/doctest.h>

#include "tests/planner/replay_parts.h"

using namespace rv::planner;

namespace {

using Places = std::vector<std::size_t>;

Demand demand_of(int cpus, NodeChoice choice) {
  Demand demand;
  demand.cpus = cpus;
  demand.choice = choice;
  return demand;
}

}  // namespace

TEST_CASE("one node: the tightest one of the range, or its first if the number of tasks is known") {
  const test::SmallReplay small(4);
  NodeChooser chooser(small.model);
  const std::vector<FreeNode> free{{8, 0}, {4, 1}, {2, 2}, {4, 3}};
  CHECK(chooser.choose(demand_of(2, NodeChoice::tightest), free, 1) == Places{2});
  CHECK(chooser.choose(demand_of(2, NodeChoice::first), free, 1) == Places{0});
  CHECK(chooser.choose(demand_of(2, NodeChoice::least_loaded), free, 1) == Places{0});
  CHECK(chooser.choose(demand_of(1, NodeChoice::tightest), {{3, 0}, {4, 1}}, 1) == Places{0});
  // Whole tasks count: of 5 and 4 CPUs both leave room for one of 3.
  CHECK(chooser.choose(demand_of(3, NodeChoice::tightest), {{5, 0}, {4, 1}}, 1) == Places{0});
}

TEST_CASE("the least loaded: by the share of CPUs that is free, or that the job would use") {
  test::SmallReplay small(3);
  small.model.nodes[2].total.cpus = 16;
  NodeChooser chooser(small.model);
  const std::vector<FreeNode> free{{4, 0}, {5, 1}, {12, 2}};
  CHECK(chooser.choose(demand_of(2, NodeChoice::least_loaded), free, 1) == Places{2});
  CHECK(chooser.choose(demand_of(2, NodeChoice::least_loaded), free, 2) == Places{1, 2});
  CHECK(chooser.choose(demand_of(2, NodeChoice::smallest), free, 1) == Places{0});
  small.model.nodes[2].weight = 5;
  CHECK(chooser.choose(demand_of(2, NodeChoice::least_loaded), free, 1) == Places{1});
}

TEST_CASE("runs of neighbours: the tightest that suffices, else the largest and then the next") {
  const test::SmallReplay small(8);
  NodeChooser chooser(small.model);
  // 0-1, 3-5 and 7.
  const std::vector<FreeNode> free{{4, 0}, {4, 1}, {2, 3}, {1, 4}, {8, 5}, {3, 7}};
  const Demand tight = demand_of(1, NodeChoice::tightest);
  CHECK(chooser.choose(tight, free, 1) == Places{5});
  CHECK(chooser.choose(tight, free, 2) == Places{0, 1});
  CHECK(chooser.choose(tight, free, 3) == Places{2, 3, 4});
  CHECK(chooser.choose(tight, free, 4) == Places{2, 3, 4, 5});
  CHECK(chooser.choose(tight, free, 5) == Places{0, 1, 2, 3, 4});
  const Demand first = demand_of(1, NodeChoice::first);
  CHECK(chooser.choose(first, free, 1) == Places{5});
  CHECK(chooser.choose(first, free, 2) == Places{0, 1});
}

TEST_CASE("nodes of a low weight come before neighbours and tight ones") {
  test::SmallReplay small(4);
  small.model.nodes[2].weight = small.model.nodes[3].weight = 0;
  small.model.nodes[0].weight = 5;
  NodeChooser chooser(small.model);
  const std::vector<FreeNode> free{{1, 0}, {1, 1}, {8, 2}, {4, 3}};
  const Demand tight = demand_of(1, NodeChoice::tightest);
  CHECK(chooser.choose(tight, free, 1) == Places{3});
  CHECK(chooser.choose(tight, free, 3) == Places{1, 2, 3});
  CHECK(chooser.choose(tight, free, 4) == Places{0, 1, 2, 3});
}
