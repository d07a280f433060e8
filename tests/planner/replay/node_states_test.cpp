#include "planner/replay/nodes/node_states.h"

#include <doctest/doctest.h>

#include "tests/planner/replay_parts.h"

using namespace rv::planner;

TEST_CASE("nodes: a job's resources are not free until released, and the snapshot can be restored") {
  test::SmallReplay small(2);
  small.add_running(0, 5, 1000);
  NodeStates nodes(small.model);
  nodes.enter(small.component);
  nodes.reset();
  CHECK(nodes.free_nodes().free_count(2) == 2);  // 3 CPUs
  CHECK(nodes.free_nodes().free_count(3) == 1);
  nodes.hold(1, 7, 500, 1, nullptr);
  CHECK(nodes.free_nodes().free_count(2) == 1);
  nodes.release(0, 0, 40);
  CHECK(nodes.free_nodes().free_count(7) == 1);
  CHECK(nodes.timeline().last_release(0) == 40);
  nodes.reset();
  CHECK(nodes.free_nodes().free_count(3) == 1);
  CHECK(nodes.free_nodes().free_count(2) == 2);
}

TEST_CASE("nodes: for a preemptor those count too that others would leave, in the snapshot or later") {
  test::SmallReplay small(2);
  small.add_running(0, 5, 1000);
  small.let_take();
  NodeStates nodes(small.model);
  nodes.enter(small.component);
  nodes.reset();
  CHECK(nodes.nodes_for(-1).free_count(7) == 1);
  CHECK(nodes.nodes_for(0).free_count(7) == 2);
  nodes.hold(1, 7, 500, 1, nullptr);
  CHECK(nodes.nodes_for(0).free_count(7) == 1);
  nodes.make_preemptible(1, 1, 0);
  CHECK(nodes.nodes_for(0).free_count(7) == 2);
  nodes.remove_preemptible(1, 1, 0);
  nodes.release(1, 1, 9);
  CHECK(nodes.nodes_for(0).free_count(7) == 2);
  CHECK(nodes.nodes_for(-1).free_count(7) == 1);
}

TEST_CASE("nodes: a job that is exempt in the snapshot can't be taken from") {
  test::SmallReplay small(1);
  small.add_running(0, 5, 1000);
  small.let_take(/*exempt=*/60);
  NodeStates nodes(small.model);
  nodes.enter(small.component);
  nodes.reset();
  CHECK(nodes.nodes_for(0).free_count(7) == 0);
}
