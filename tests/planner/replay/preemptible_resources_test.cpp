#include "planner/replay/nodes/preemptible_resources.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/replay/nodes/free_node_index.h"
#include "planner/replay/nodes/node_timeline.h"
#include "tests/planner/replay/cpu_nodes.h"

using namespace rv::planner;

namespace {

/// Two nodes of 8 CPUs, and demands of 1 … 8 of them on either; whole nodes last. Two preemption groups, of which the
/// first preemptor takes the first, the second both.
ReplayModel two_preemptors() {
  ReplayModel model = test::cpu_nodes(2);
  for (int cpus = 1; cpus <= 9; ++cpus) {
    Demand demand;
    demand.cpus = std::min(cpus, 8);
    demand.whole_node = cpus == 9;
    model.demands.push_back(demand);
    Shape shape;
    shape.demand = cpus - 1;
    shape.places = {0, 1};
    model.shapes.push_back(shape);
  }
  model.preemption_groups.resize(2);
  model.preemptors = {{{true, false}, 0}, {{true, true}, 0}};
  return model;
}

NodeResources cpus(int count) {
  NodeResources part;
  part.cpus = count;
  return part;
}

}  // namespace

TEST_CASE("preemptible room: for permitted jobs, with initial and added jobs") {
  const ReplayModel model = two_preemptors();
  PreemptibleResources room(model);
  room.enter({0, 1});
  room.adopt(0, cpus(3), 0);
  room.reset();
  CHECK(room.of(0, 0).part.cpus == 3);
  CHECK(room.first_of(1, 0).jobs == 1);
  room.add(0, cpus(2), 1);
  CHECK(room.of(0, 0).part.cpus == 3);
  CHECK(room.of(1, 0).part.cpus == 5);
  CHECK(room.of(1, 0).jobs == 2);
  CHECK(room.of(1, 1).jobs == 0);
  room.remove(0, cpus(3), 0);
  CHECK(room.of(0, 0).jobs == 0);
  CHECK(room.of(1, 0).part.cpus == 2);
  room.reset();
  CHECK(room.of(1, 0).part.cpus == 3);
}

TEST_CASE("an index of nodes counts the room that a preemptor could take until it does") {
  ReplayModel model = two_preemptors();
  model.nodes[0].free.cpus = 1;
  NodeTimeline timeline(model);
  PreemptibleResources room(model);
  FreeNodeIndex first(model, timeline, room, 0);
  FreeNodeIndex second(model, timeline, room, 1);
  const std::vector<int> nodes{0, 1};
  timeline.enter(nodes);
  room.enter(nodes);
  timeline.adopt(0, cpus(4), 100, 0);
  room.adopt(0, cpus(4), 0);
  timeline.adopt(0, cpus(3), 100, 1);
  room.adopt(0, cpus(3), 1);
  first.enter(nodes);
  second.enter(nodes);
  timeline.reset();
  room.reset();
  first.reset();
  second.reset();
  constexpr int five = 4;
  constexpr int six = 5;
  constexpr int whole = 8;
  CHECK(first.free_count(five) == 2);
  CHECK(first.free_count(six) == 1);
  CHECK(second.free_count(whole) == 2);
  CHECK(first.free_count(whole) == 1);

  // Somebody has been promised 5 of them while both are still there.
  const FreedResources gone{cpus(4), 1};
  CHECK(timeline.part_for(0, five, &gone).cpus == 5);
  timeline.hold(0, cpus(5), 200, 2);
  CHECK_FALSE(timeline.fits_now(0, 0));
  CHECK(first.free_count(0) == 1);
  CHECK(second.free_count(2) == 2);  // 3 CPUs: those of the second group
  CHECK(second.free_count(3) == 1);
  room.remove(0, cpus(4), 0);
  timeline.release(0, 0);
  CHECK(timeline.free_cpus(0) == 0);
  CHECK(second.free_count(2) == 2);
  timeline.set_limit_end(0, 1, 30);
  CHECK(timeline.free_from(0, 0) == 30);
}
