#include "planner/replay/jobs/allocations.h"

#include <doctest/doctest.h>

#include "tests/planner/replay_parts.h"

using namespace rv::planner;
using EventKind = TrialEvents::Kind;

namespace {

struct Started {
  explicit Started(const test::SmallReplay& small) : nodes(small.model), jobs(small.model, nodes, events) {
    nodes.enter(small.component);
    jobs.enter(small.component);
    nodes.reset();
    jobs.begin(1);
  }
  NodeStates nodes;
  TrialEvents events;
  Allocations jobs;
};

}  // namespace

TEST_CASE("allocations: a job has its nodes from its start to its end") {
  test::SmallReplay small(2);
  const int row = small.add_waiting(7, 100);
  Started one(small);
  Selection selection;
  selection.nodes = {1};
  one.jobs.start(small.component.entries[static_cast<std::size_t>(row)], selection, {10, 10, 0});
  CHECK(one.nodes.free_nodes().free_count(0) == 1);
  const auto event = one.events.take();
  CHECK(event.at == 110);
  CHECK(event.kind == EventKind::end);
  CHECK_FALSE(one.jobs.end(event.number, 105));  // another's event
  const auto ended = one.jobs.end(event.number, event.at);
  REQUIRE(ended);
  CHECK(ended->job == 0);
  CHECK_FALSE(ended->is_requeued);
  CHECK(one.nodes.free_nodes().free_count(7) == 2);
  CHECK_FALSE(one.jobs.end(event.number, event.at));
}

TEST_CASE("allocations: a victim ends in its grace, and goes back where its group does") {
  test::SmallReplay small(1);
  const int slot = small.add_running(0, 8, 1000);
  bool is_requeued = false;
  SUBCASE("requeued") {
    is_requeued = true;
  }
  SUBCASE("cancelled") {}
  small.let_take(0, is_requeued);
  small.model.preemption_groups[0].grace = 30;
  Started one(small);
  const ReplayTime gone = one.jobs.preempt({slot}, 100);
  CHECK(gone >= 101);
  CHECK(gone <= 130);
  CHECK(one.jobs.preempt({slot}, 100) == gone);  // it ends already
  const auto ended = one.jobs.end(slot, gone);
  REQUIRE(ended);
  CHECK(ended->is_requeued == is_requeued);
  CHECK(one.events.next() == gone);
}

TEST_CASE("allocations: who is exempt can be taken from when that is over, and ends in time by himself") {
  test::SmallReplay small(1);
  const int slot = small.add_running(0, 8, 1000);
  small.let_take(/*exempt=*/60);
  Started one(small);
  CHECK(one.nodes.nodes_for(0).free_count(7) == 0);
  const auto event = one.events.take();
  CHECK(event.kind == EventKind::not_exempt);
  CHECK(event.at == 60);
  one.jobs.end_exemption(slot, event.at);
  CHECK(one.nodes.nodes_for(0).free_count(7) == 1);
  CHECK(one.jobs.preempt({slot}, 1000) == 1000);
  CHECK_FALSE(one.jobs.end(slot, 1000)->is_requeued);
}
