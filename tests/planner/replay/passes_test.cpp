// The two scheduling passes and the hypothetical jobs in them, on a queue of a few jobs.
#include <doctest/doctest.h>

#include "planner/replay/passes/backfill_pass.h"
#include "planner/replay/passes/hypothetical_tests.h"
#include "planner/replay/passes/main_pass.h"
#include "planner/replay/passes/pass_schedule.h"
#include "tests/planner/replay_parts.h"

using namespace rv::planner;

namespace {

/// All that a pass works on, for a model that is complete.
class Passes {
 public:
  explicit Passes(const test::SmallReplay& small, std::vector<HypotheticalJob> hypotheticals = {},
                  ReplayTime window_delay = -1)
      : small_(small),
        hypothetical_list_(std::move(hypotheticals)),
        hypotheticals_(small.model, hypothetical_list_, window_delay, state_, schedule_, plans_, blocked_) {
    state_.enter(small.component);
    backfill_.enter(small.component);
    state_.begin(1);
    backfill_.begin();
    hypotheticals_.begin(small.component, 1);
    schedule_.begin(1);
  }

  void main_pass(ReplayTime now) {
    state_.apply_events(now);
    main_.run(now);
  }
  void backfill_pass(ReplayTime now) {
    state_.apply_events(now);
    starts_.reset_count();
    backfill_.run(now);
  }
  /// Of each row, how many tasks of its job still wait.
  std::vector<int> left() const {
    std::vector<int> tasks;
    for (const QueueEntry& row : small_.component.entries) tasks.push_back(state_.eligibility().tasks_left(row.job));
    return tasks;
  }
  const HypotheticalOutcome& outcome(std::size_t hypothetical) const {
    return hypotheticals_.starts().outcomes()[hypothetical];
  }

 private:
  const test::SmallReplay& small_;
  std::vector<HypotheticalJob> hypothetical_list_;
  ReplayState state_{small_.model};
  PassSchedule schedule_{small_.model.times.backfill_interval, 1000, 1};
  NodePlans plans_{small_.model};
  BlockedPartitions blocked_{small_.model};
  JobStarts starts_{small_.model, state_, schedule_, plans_, blocked_};
  HypotheticalTests hypotheticals_;
  MainPass main_{small_.model, state_, blocked_, starts_, hypotheticals_};
  BackfillPass backfill_{small_.model, state_, plans_, blocked_, starts_, hypotheticals_};
};

/// Somebody who asks for this shape, and looks at these time limits, in front of the row.
HypotheticalJob hypothetical_before(test::SmallReplay& small, int row, int shape, std::vector<ReplayTime> limits) {
  HypotheticalJob hypothetical;
  hypothetical.shape = shape;
  hypothetical.limits = std::move(limits);
  hypothetical.asked = hypothetical.limits.size() - 1;
  small.component.hypotheticals.push_back(static_cast<int>(small.component.hypotheticals.size()));
  small.component.hypothetical_entries.push_back(row);
  return hypothetical;
}

constexpr int one_cpu = 0, whole_node = 7, two_nodes = 15;  // shapes of SmallReplay

}  // namespace

TEST_CASE("main pass: the queue in order, until one of the partition can't start") {
  test::SmallReplay small(2);
  small.add_waiting(whole_node, 100);
  small.add_waiting(two_nodes, 100);
  small.add_waiting(one_cpu, 10);
  Passes passes(small);
  passes.main_pass(1);
  CHECK(passes.left() == std::vector<int>{0, 1, 1});
  passes.main_pass(101);  // the first is over
  CHECK(passes.left() == std::vector<int>{0, 0, 1});
}

TEST_CASE("main pass: at most default_queue_depth jobs are considered") {
  test::SmallReplay small(1);
  small.add_waiting(one_cpu, 100);
  small.add_waiting(one_cpu, 100);
  small.model.times.main_depth = 1;
  Passes passes(small);
  passes.main_pass(1);
  CHECK(passes.left() == std::vector<int>{0, 1});
}

TEST_CASE("main pass: a hypothetical job that can't start blocks the jobs behind it, but no other hypothetical job") {
  test::SmallReplay small(2);
  small.add_running(0, 8, 100);
  small.add_waiting(one_cpu, 1000);
  const int behind = small.add_waiting(one_cpu, 1000);
  const HypotheticalJob large = hypothetical_before(small, behind, two_nodes, {50}),
                        little = hypothetical_before(small, behind, one_cpu, {50});
  Passes passes(small, {large, little});
  passes.main_pass(1);
  CHECK(passes.left() == std::vector<int>{0, 1});
  CHECK(passes.outcome(0).starts == std::vector<ReplayTime>{never});
  CHECK(passes.outcome(1).starts == std::vector<ReplayTime>{1});
}

TEST_CASE("backfill: who is over before a plan begins starts, who is not waits") {
  test::SmallReplay small(2);
  small.add_running(0, 8, 600);
  small.add_waiting(two_nodes, 1000);
  small.add_waiting(one_cpu, 900);
  small.add_waiting(one_cpu, 300);
  Passes passes(small);
  passes.backfill_pass(1);
  CHECK(passes.left() == std::vector<int>{1, 1, 0});
  passes.backfill_pass(601);
  CHECK(passes.left() == std::vector<int>{0, 1, 0});
}

TEST_CASE("backfill: no job below bf_min_prio_reserve gets a plan") {
  test::SmallReplay small(2);
  small.add_running(0, 8, 600);
  small.add_waiting(two_nodes, 1000);
  small.add_waiting(one_cpu, 900);
  small.model.times.least_priority = 1;
  Passes passes(small);
  passes.backfill_pass(1);
  CHECK(passes.left() == std::vector<int>{1, 0});
}

TEST_CASE("backfill: the numbers of jobs considered and started in a pass are limited") {
  for (const bool depth : {true, false}) {
    test::SmallReplay small(1);
    small.add_waiting(one_cpu, 100);
    small.model.jobs.back().tasks = 3;
    small.add_waiting(one_cpu, 100);
    if (depth)
      small.component.backfill_depth = 1;
    else
      small.model.times.starts_a_pass = 2;
    Passes passes(small);
    passes.backfill_pass(1);
    CHECK(passes.left() == std::vector<int>{depth ? 0 : 1, 1});
    passes.backfill_pass(31);
    CHECK(passes.left() == std::vector<int>{0, 0});
  }
}

TEST_CASE(
    "backfill: the plan of a hypothetical job is in the way of jobs behind it, and of no other hypothetical job") {
  test::SmallReplay small(2);
  small.add_running(0, 8, 600);
  const int too_long = small.add_waiting(one_cpu, 900);
  small.add_waiting(one_cpu, 300);
  const HypotheticalJob large = hypothetical_before(small, too_long, two_nodes, {1000});
  const HypotheticalJob other = hypothetical_before(small, too_long, one_cpu, {1000});
  Passes passes(small, {large, other});
  passes.backfill_pass(1);
  CHECK(passes.left() == std::vector<int>{1, 0});
  CHECK(passes.outcome(0).starts == std::vector<ReplayTime>{never});
  CHECK(passes.outcome(1).starts == std::vector<ReplayTime>{1});
  passes.backfill_pass(631);
  CHECK(passes.outcome(0).starts == std::vector<ReplayTime>{631});
  CHECK(passes.left() == std::vector<int>{0, 0});
}

TEST_CASE("hypothetical jobs: short limits start in a gap, whose length counts up to the requested delay") {
  test::SmallReplay small(1);
  small.model.reserved_times[0] = {{500, 1000, 0}};
  const int behind = small.add_waiting(whole_node, 2000);
  const HypotheticalJob hypothetical = hypothetical_before(small, behind, one_cpu, {100, 400, 800});
  Passes passes(small, {hypothetical}, 60);
  passes.backfill_pass(1);
  CHECK(passes.outcome(0).starts == std::vector<ReplayTime>{1, 1, never});
  CHECK(passes.outcome(0).window == 499);
  passes.backfill_pass(1001);
  CHECK(passes.outcome(0).starts == std::vector<ReplayTime>{1, 1, 1001});
  CHECK(passes.outcome(0).window == 499);
}

TEST_CASE(
    "hypothetical jobs: a limit shared with others that has no room left keeps one from starting, and from a plan") {
  test::SmallReplay small(1);
  const int behind = small.add_waiting(whole_node, 2000);
  small.model.counters.resize(1);
  small.model.counters[0].used = {0, 0, 0, 0};
  small.model.counters[0].jobs = 1;
  small.model.limits = {{0, {-1, -1, -1, -1}, 1}};
  HypotheticalJob hypothetical = hypothetical_before(small, behind, one_cpu, {100});
  hypothetical.shared_limits = {0};
  hypothetical.amounts = {1, 0, 1, 0};
  Passes passes(small, {hypothetical}, 60);
  passes.backfill_pass(1);
  CHECK(passes.outcome(0).starts == std::vector<ReplayTime>{never});
  CHECK(passes.outcome(0).window == 0);
  CHECK(passes.left() == std::vector<int>{0});
}
