// What a pass chooses for a job: free nodes, victims, plans.
#include <doctest/doctest.h>

#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/passes/backfill_candidates.h"
#include "planner/replay/passes/backfill_reservations.h"
#include "planner/replay/passes/job_starts.h"
#include "planner/replay/passes/node_selection.h"
#include "planner/replay/passes/victim_selection.h"
#include "planner/replay/passes/window_search.h"
#include "tests/planner/replay_parts.h"

using namespace rv::planner;

namespace {

/// All that the parts look at, at the beginning of a trial.
struct Pass {
  explicit Pass(const test::SmallReplay& small) : state(small.model), plans(small.model), blocked(small.model) {
    state.enter(small.component);
    state.begin(1);
  }
  ReplayState state;
  NodePlans plans;
  BlockedPartitions blocked;
};

QueueEntry row_of(int shape, ReplayTime limit, int preemptor = -1) {
  QueueEntry row;
  row.shape = shape;
  row.limit = limit;
  row.preemptor = preemptor;
  return row;
}

constexpr int one_cpu = 0;
constexpr int whole = 7;
constexpr int two_nodes = 8;  // of one CPU each

}  // namespace

TEST_CASE("nodes are chosen side by side, where the fewest CPUs are free") {
  test::SmallReplay small(6);
  small.add_running(0, 7, 1000);
  small.add_running(1, 8, 1000);
  small.add_running(3, 4, 1000);
  Pass pass(small);
  NodeSelection selection(small.model, pass.state.nodes(), pass.plans, pass.blocked);
  std::vector<int> chosen;
  CHECK(selection.choose(row_of(two_nodes, 100), 0, Plans::all, chosen));
  CHECK(chosen == std::vector<int>{2, 3});  // 0 stands alone
  CHECK(selection.choose(row_of(one_cpu, 100), 0, Plans::all, chosen));
  CHECK(chosen == std::vector<int>{0});
}

TEST_CASE("backfill plans nothing on a node of another user, up to 24.05") {
  test::SmallReplay small(2);
  small.add_running(0, 4, 1000);
  small.add_running(1, 8, 2000);
  Tenancy mine, theirs;
  mine.user = 0, theirs.user = 1;
  theirs.exclusive_user = true;
  small.model.tenancies = {mine, theirs};
  small.model.running[0].tenancy = 1;
  small.model.demands[whole].tenancy = 0;
  Pass pass(small);
  BackfillReservations reservations(small.model, pass.state.nodes(), pass.state.running(), pass.plans);
  reservations.enter(small.component);
  reservations.begin();
  reservations.begin_pass();
  // Node 0 is free earlier.
  CHECK(reservations.reserve({whole, 0, 100, -1, false}, 1) == std::vector<int>{1});
  small.model.times.plans_behind_owners = true;
  reservations.begin_pass();
  CHECK(reservations.reserve({whole, 0, 100, -1, false}, 1) == std::vector<int>{0});
  small.model.times.plans_behind_owners = false;
  small.model.tenancies[1].exclusive_user = false;
  reservations.begin_pass();
  CHECK(reservations.reserve({whole, 0, 100, -1, false}, 1) == std::vector<int>{0});
}

TEST_CASE("a plan's start depends on the ends of jobs on nodes without another plan") {
  // Counted from the first end, at 100, one step goes over the ends at 1100 and 1800.
  test::SmallReplay small(3);
  small.add_running(0, 8, 100);
  small.add_running(1, 8, 1100);
  small.add_running(2, 8, 1800);
  Pass pass(small);
  BackfillReservations reservations(small.model, pass.state.nodes(), pass.state.running(), pass.plans);
  reservations.enter(small.component);
  reservations.begin();
  reservations.begin_pass();
  CHECK(reservations.reserve({whole, 0, 5000, -1, false}, 1) == std::vector<int>{0});
  CHECK(reservations.reserve({whole, 0, 5000, -1, false}, 1) == std::vector<int>{1});
  CHECK(pass.plans.window(1, 1, -1, Plans::all) < 1200);
}

TEST_CASE("a node is chosen only before a relevant plan, and never if it is blocked") {
  test::SmallReplay small(1);
  Pass pass(small);
  NodeSelection selection(small.model, pass.state.nodes(), pass.plans, pass.blocked);
  std::vector<int> chosen;
  pass.plans.add(0, {50, 90});
  CHECK_FALSE(selection.choose(row_of(one_cpu, 60), 0, Plans::all, chosen));
  CHECK_FALSE(selection.choose(row_of(one_cpu, 60), 0, Plans::none, chosen));  // known in this pass
  CHECK(selection.choose(row_of(one_cpu, 50), 0, Plans::all, chosen));
  selection.begin_pass();
  CHECK(selection.choose(row_of(one_cpu, 60), 0, Plans::none, chosen));
  pass.blocked.block_nodes_of(0);
  CHECK_FALSE(selection.choose(row_of(one_cpu, 50), 0, Plans::none, chosen));
}

TEST_CASE("victims are the fewest that make room, on the node where the last of them is the smallest and oldest") {
  test::SmallReplay small(3);
  small.add_running(0, 8, 1000);
  small.add_running(1, 4, 1000);
  small.add_running(1, 4, 1000);
  small.let_take();
  Pass pass(small);
  VictimSelection victims(small.model, pass.state.nodes(), pass.state.running(), pass.plans, pass.blocked);
  Selection chosen;
  REQUIRE(victims.choose(row_of(whole, 100, 0), 0, Plans::all, chosen));
  CHECK(chosen.nodes == std::vector<int>{2});  // free
  CHECK(chosen.victims.empty());
  pass.state.nodes().hold(2, whole, 1000, 9, nullptr);
  REQUIRE(victims.choose(row_of(whole, 100, 0), 0, Plans::all, chosen));
  CHECK(chosen.nodes == std::vector<int>{0});
  CHECK(chosen.victims == std::vector<int>{0});
  CHECK(chosen.freed.at(0).part.cpus == 8);
  pass.plans.add(0, {10, 20});
  REQUIRE(victims.choose(row_of(3, 100, 0), 0, Plans::all, chosen));  // 4 CPUs
  CHECK(chosen.nodes == std::vector<int>{1});
  CHECK(chosen.victims == std::vector<int>{1});
  pass.plans.add(1, {10, 20});
  CHECK_FALSE(victims.choose(row_of(whole, 100, 0), 0, Plans::all, chosen));
}

TEST_CASE("starts take free nodes before those of others, and count") {
  test::SmallReplay small(2);
  small.add_running(0, 8, 1000);
  small.let_take();
  small.model.times.starts_a_pass = 2;
  for (int i = 0; i < 3; ++i)
    small.component.entries[static_cast<std::size_t>(small.add_waiting(whole, 100))].preemptor = 0;
  Pass pass(small);
  const PassSchedule schedule(30, 30, 10);
  JobStarts starts(small.model, pass.state, schedule, pass.plans, pass.blocked);
  starts.begin_pass();
  CHECK(starts.try_start(small.component.entries[0], 5, Plans::none) == StartResult::started);
  CHECK(pass.state.running().at(1).nodes == std::vector<int>{1});
  CHECK_FALSE(pass.state.running().at(0).ending);
  CHECK_FALSE(starts.exhausted());
  CHECK(starts.try_start(small.component.entries[1], 5, Plans::none) == StartResult::started);
  CHECK(pass.state.running().at(0).ending);
  CHECK(starts.exhausted());
  starts.reset_count();
  CHECK_FALSE(starts.exhausted());
}

TEST_CASE("the longest window is that of the last node that is needed") {
  test::SmallReplay small(3);
  const int slot = small.add_running(2, 8, 1000);
  small.let_take();
  Pass pass(small);
  WindowSearch search(small.model, pass.state.nodes(), pass.plans, pass.blocked);
  pass.plans.add(0, {50, 90});
  pass.plans.add(1, {70, 90, /*hypothetical=*/true});
  CHECK(search.longest(one_cpu, -1, 0, Plans::all).length == 70);
  CHECK(search.longest(two_nodes, -1, 0, Plans::all).length == 50);
  CHECK(search.longest(one_cpu, -1, 0, Plans::of_queue).length == never);
  CHECK(search.longest(two_nodes, 0, 0, Plans::all).length == 70);  // with what can be taken
  pass.state.nodes().remove_preemptible(2, slot, 0);
  pass.state.nodes().release(2, slot, 8);
  CHECK(search.longest(one_cpu, -1, 10, Plans::all).released == 8);
  CHECK(search.longest(one_cpu, -1, 10, Plans::all).length == never);
  pass.blocked.block_nodes_of(0);
  CHECK(search.longest(one_cpu, -1, 10, Plans::all).length == 0);
}

TEST_CASE("plans begin when the nodes are free by the limits of their jobs, behind other plans") {
  test::SmallReplay small(2);
  small.add_running(0, 8, 600);
  small.add_running(1, 8, 1200);
  small.model.times.backfill_window = 5000;
  Pass pass(small);
  BackfillReservations plans(small.model, pass.state.nodes(), pass.state.running(), pass.plans);
  plans.enter(small.component);
  plans.begin();
  plans.begin_pass();
  CHECK(plans.reserve({whole, 0, 300}, 0) == std::vector<int>{0});
  const ReplayTime first = pass.plans.window(0, 0, -1, Plans::all);
  CHECK(first >= 600);
  CHECK(first < 1200);
  CHECK(plans.reserve({two_nodes, 0, 300}, 0).size() == 2);
  CHECK(pass.plans.window(1, 0, -1, Plans::all) >= 1200);
  CHECK(plans.reserve({whole, 0, 6000}, 0).size() == 1);
  CHECK(plans.reserve({two_nodes, 0, 300}, 0).empty());  // not within the window
  plans.begin_pass();
  CHECK(pass.plans.window(0, 0, -1, Plans::all) == never);
}

TEST_CASE("candidates are dropped from the end, when plans or jobs have come upon their nodes") {
  test::SmallReplay small(2);
  small.add_running(1, 8, 600);
  Pass pass(small);
  BackfillCandidates candidates(small.model, pass.state.nodes(), pass.plans);
  candidates.begin_pass();
  CHECK_FALSE(candidates.has_enough_nodes(two_nodes, -1));
  REQUIRE(candidates.has_enough_nodes(one_cpu, -1));
  candidates.add({1, one_cpu, 40});
  candidates.add({2, one_cpu, 100});
  candidates.drop(0);
  CHECK(candidates.end() == 2);
  pass.plans.add(0, {50, 90});
  candidates.note_plan(1);  // nobody's
  candidates.drop(0);
  CHECK(candidates.end() == 2);
  candidates.note_plan(0);
  candidates.drop(0);
  CHECK(candidates.end() == 1);
  pass.state.nodes().hold(0, whole, 100, 5, nullptr);
  candidates.note_start();
  candidates.drop(0);
  CHECK(candidates.empty());
}
