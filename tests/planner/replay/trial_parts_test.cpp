// The parts that a replay is made of, each by itself.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/replay/jobs/limit_use.h"
#include "planner/replay/jobs/running_jobs.h"
#include "planner/replay/jobs/trial_arrivals.h"
#include "planner/replay/jobs/trial_events.h"
#include "planner/replay/jobs/trial_run_times.h"
#include "planner/replay/passes/partition_steps.h"

using namespace rv::planner;

TEST_CASE("running jobs: a slot is used again, its nodes and partitions are not") {
  RunningJobs jobs;
  const int first = jobs.add(7, 0, -10, 100);
  jobs.add_node(first, 3, 0b01);
  const int second = jobs.add(8, 1, 0, 50);
  jobs.add_node(second, 4, 0b11);
  std::vector<ReplayTime> ends;
  jobs.limit_ends(0b01, ends);
  CHECK(ends == std::vector<ReplayTime>{100, 50});
  jobs.remove(first);
  ends.clear();
  jobs.limit_ends(0b01, ends);
  CHECK(ends == std::vector<ReplayTime>{50});
  CHECK(jobs.add(9, -1, 5, 60) == first);
  CHECK(jobs.slots() == 2);
  CHECK(jobs.at(first).job == 9);
  CHECK(jobs.at(first).nodes.empty());
  CHECK(jobs.at(second).nodes == std::vector<int>{4});
}

TEST_CASE("events come by time; at the same one, ends come last and by slot") {
  using EventKind = TrialEvents::Kind;
  TrialEvents events;
  CHECK(events.next() == never);
  events.add_end(20, 1);
  events.add_end(10, 5);
  events.add_end(10, 2);
  events.add_wake(10);
  CHECK(events.next() == 10);
  CHECK(events.take().kind == EventKind::wake);
  CHECK(events.take().number == 2);
  CHECK(events.take().number == 5);
  const auto last = events.take();
  CHECK(last.at == 20);
  CHECK(last.kind == EventKind::end);
  CHECK(last.number == 1);
  CHECK(events.empty());
}

TEST_CASE("events return requeued jobs and jobs whose exemption has ended") {
  using EventKind = TrialEvents::Kind;
  for (const int number : {0, 1, 7, 1'000'000}) {
    TrialEvents events;
    events.add_back(5, number);
    events.add_not_exempt(6, number);
    const auto back = events.take();
    CHECK(back.kind == EventKind::back);
    CHECK(back.number == number);
    const auto not_exempt = events.take();
    CHECK(not_exempt.kind == EventKind::not_exempt);
    CHECK(not_exempt.number == number);
  }
}

TEST_CASE("limits: of jobs and of amounts, in use and given back") {
  ReplayModel model;
  model.counters.resize(2);
  model.counters[1].used = {0, 1};
  model.limits = {{0, {}, 1}, {1, {-1, 4}, -1}};
  LimitUse use;
  use.reset(model);
  ReplayJob job;
  job.counters = job.limits = {0, 1};
  job.amounts = {100, 3};
  CHECK(use.leaves_room(job.limits, job.amounts));
  CHECK_FALSE(use.leaves_room({1}, {100, 4}));
  use.take(job, {});
  CHECK_FALSE(use.leaves_room({0}, {0, 0}));
  CHECK_FALSE(use.leaves_room({1}, {0, 1}));
  CHECK(use.leaves_room({1}, {100, 0}));  // who asks for none of what is used up
  use.give_back(job, {});
  CHECK(use.leaves_room(job.limits, job.amounts));
}

TEST_CASE("limits on nodes count a node once, however many jobs run there") {
  ReplayModel model;
  model.counters.resize(1);
  model.counters[0].used = {0, 0, 0, 0};
  model.counters[0].jobs_on_node = {0, 0, 0};
  model.limits = {{0, {-1, -1, 2, -1}, -1}};
  LimitUse use;
  use.reset(model);
  ReplayJob job;
  job.counters = job.limits = {0};
  job.amounts = {1, 0, 1, 0};
  use.take(job, std::vector<int>{1});
  use.take(job, std::vector<int>{1});
  CHECK(use.leaves_room({0}, {1, 0, 2, 0}));        // if one of its nodes is node 1
  CHECK_FALSE(use.leaves_room({0}, {1, 0, 3, 0}));  // wherever it runs
  auto bound = use.node_bound({0});
  REQUIRE(bound);
  CHECK(bound->addable_nodes() == 1);
  CHECK(bound->in_use(1));
  CHECK_FALSE(bound->in_use(0));
  use.give_back(job, std::vector<int>{1});
  CHECK(use.node_bound({0})->addable_nodes() == 1);
  use.give_back(job, std::vector<int>{1});
  CHECK(use.node_bound({0})->addable_nodes() == 2);
  CHECK_FALSE(use.node_bound({}));
}

TEST_CASE("arrivals: the periods come again, and who still waits is passed over") {
  ReplayModel model;
  model.arrival_period = 100;
  model.periods_by_time = {{0}};
  model.jobs.resize(2);
  Component component;
  component.entries.resize(2);
  component.entries[0].job = 0;
  component.entries[1].job = 1;
  component.arrivals = {{{10, 0}, {30, 1}}};
  TrialArrivals arrivals(model);
  arrivals.begin(component, 1);
  std::vector<int> left(2);
  CHECK(arrivals.next(left) == 10);
  CHECK(arrivals.take() == 0);
  left[0] = 1;
  CHECK(arrivals.next(left) == 30);
  CHECK(arrivals.take() == 1);
  CHECK(arrivals.next(left) == 130);  // job 0 still waits
  left[1] = 1;
  CHECK(arrivals.next(left) == never);
  Component nobody;
  arrivals.begin(nobody, 1);
  CHECK(arrivals.next(left) == never);
}

TEST_CASE("run times: from the record, else the limit; a job past its limit ends soon") {
  ReplayModel model;
  model.jobs.resize(4);
  model.jobs[0].limit = 3600, model.jobs[0].elapsed = 600;
  model.jobs[1].limit = never;
  model.jobs[2].limit = 100, model.jobs[2].elapsed = 150;
  model.jobs[3].limit = 3600, model.jobs[3].known_run_time = 42;
  for (int i = 0; i < 4; ++i) model.running.push_back({i, -1, -1, {}});
  Component component;
  component.running = {0, 1, 2, 3};
  TrialRunTimes times(model);
  times.enter(component);
  times.begin(5);
  CHECK(times.remaining(0) >= 3000);
  CHECK(times.remaining(0) < 3000 + 34);
  CHECK(times.remaining(1) == never);
  CHECK(times.remaining(2) >= 1);
  CHECK(times.remaining(2) < 34);
  CHECK(times.remaining(3) == 42);
  CHECK(times.end_of(model.jobs[0], 0, 100) >= 3700);
  CHECK(times.end_of(model.jobs[1], 0, 100) == never);
  CHECK(times.end_of(model.jobs[3], 7, 100) == 142);
}

TEST_CASE("steps of a partition: made again in a pass only when much has changed") {
  ReplayModel model;
  model.partitions = {"gpu"};
  Component component;
  component.partitions = {0};
  PartitionSteps steps(model);
  steps.enter(component);
  steps.reset();
  RunningJobs running;
  for (int i = 0; i < 48; ++i) running.add_node(running.add(i, 0, 0, 1000 + i), i, 1);
  CHECK(steps.of(0, running, 1, 0).try_after(1000) >= 1000);
  const auto before = steps.of(0, running, 1, 0).try_after(5000);
  CHECK(before == 5000);  // behind the last end
  const int late = running.add(48, 0, 0, 5000);
  running.add_node(late, 48, 1);
  CHECK(steps.of(0, running, 1, 1).try_after(5000) == before);  // the same pass
  CHECK(steps.of(0, running, 2, 1).try_after(4000) == 4000);    // one change among so many jobs
  CHECK(steps.of(0, running, 3, 10).try_after(4000) > 4000);    // ten
  steps.reset();
  CHECK(steps.of(0, running, 4, 0).try_after(4000) > 4000);  // another trial
}
