#include "planner/replay/jobs/replay_state.h"

#include <doctest/doctest.h>

#include "tests/planner/replay_parts.h"

using namespace rv::planner;

TEST_CASE("state: jobs end by themselves, and the next trial begins again") {
  test::SmallReplay small(1);
  small.add_running(0, 8, 100);
  ReplayState state(small.model);
  state.enter(small.component);
  for (int trial = 0; trial < 2; ++trial) {
    state.begin(static_cast<std::uint64_t>(trial));
    CHECK(state.next_event() == 100);
    CHECK(state.nodes().free_nodes().free_count(0) == 0);
    state.apply_events(99);
    CHECK(state.nodes().free_nodes().free_count(0) == 0);
    state.apply_events(100);
    CHECK(state.nodes().free_nodes().free_count(7) == 1);
    CHECK(state.next_event() == never);
    CHECK(state.last_wake() == 0);
    CHECK(state.eligibility().last_freed() == 100);
  }
}

TEST_CASE("state: begin times, reserved times and the first pass after a submission wake the queue") {
  test::SmallReplay small(1);
  small.add_waiting(0, 100);
  small.component.entries[0].eligible = 30;
  small.model.reserved_times[0] = {{0, 20, -1}};
  small.model.times.submit_delay = 5;
  ReplayState state(small.model);
  state.enter(small.component);
  state.begin(1);
  for (const ReplayTime expected : {5, 20, 30}) {
    CHECK(state.next_event() == expected);
    state.apply_events(expected);
    CHECK(state.last_wake() == expected);
  }
  CHECK(state.next_event() == never);
}

TEST_CASE("state: a preempted job leaves its node, and waits again after a while") {
  test::SmallReplay small(1);
  const int slot = small.add_running(0, 8, 1000);
  small.let_take();
  const int row = small.add_waiting(7, 50);
  QueueEntry back;  // of the job that runs, for when it returns
  back.job = small.model.running[0].job;
  back.limit = 1000;
  back.shape = 7;
  small.component.entries.push_back(back);
  ReplayState state(small.model);
  state.enter(small.component);
  state.begin(1);
  Selection selection;
  selection.nodes = {0};
  NodeResources part;
  part.cpus = 8;
  selection.freed = {{part, 1}};
  selection.victims = {slot};
  state.start(small.component.entries[static_cast<std::size_t>(row)], selection, 10, 10);
  state.apply_events(11);
  CHECK(state.queue().end() == 1);
  CHECK(state.nodes().free_nodes().free_count(0) == 0);
  state.apply_events(11 + 121);
  CHECK(state.queue().end() == 2);
  CHECK(state.eligibility().ready(small.component.entries.back(), 132));
  CHECK(state.nodes().free_nodes().free_count(7) == 1);
}

TEST_CASE("state: an arriving job waits at its position") {
  test::SmallReplay small(1);
  small.add_waiting(0, 100);
  small.component.waiting.clear();
  small.component.arrivals = {{{10, 0}}};
  small.model.arrival_period = 100;
  small.model.periods_by_time = {{0}};
  ReplayState state(small.model);
  state.enter(small.component);
  state.begin(1);
  CHECK(state.next_event() == 10);
  state.apply_events(10);
  CHECK(state.queue().end() == 1);
  CHECK(state.eligibility().tasks_left(0) == 1);
}
