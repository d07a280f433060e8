#include "planner/replay/affordable_trials.h"

#include <doctest/doctest.h>

#include <string>

using namespace rv;
using namespace rv::planner;

namespace {

/// Six partitions with as many jobs each; `joined`: a node is in all of them.
Cluster six_parts(int jobs, bool joined) {
  Cluster cluster;
  cluster.nodes.resize(7);
  for (std::size_t i = 0; i < 6; ++i) {
    cluster.partitions.emplace_back().name = "p" + std::to_string(i);
    cluster.nodes[i].partitions = {cluster.partitions[i].name};
    if (joined) cluster.nodes[6].partitions.push_back(cluster.partitions[i].name);
  }
  cluster.jobs.resize(static_cast<std::size_t>(jobs));
  for (std::size_t i = 0; i < cluster.jobs.size(); ++i) cluster.jobs[i].partitions = {"p" + std::to_string(i % 6)};
  return cluster;
}

int draws_for(int jobs) {
  return affordable_trials(six_parts(jobs, false));
}

}  // namespace

TEST_CASE("a queue of up to 20,000 jobs is replayed 64 times") {
  CHECK(draws_for(0) == 64);
  CHECK(draws_for(200) == 64);
  CHECK(draws_for(2'000) == 64);
  CHECK(draws_for(20'000) == 64);
}

TEST_CASE("a large one less often, and never more often than a smaller one") {
  CHECK(draws_for(100'000) >= 10);
  CHECK(draws_for(100'000) < 20);
  int before = 64;
  for (int jobs = 1'000; jobs <= 128'000; jobs *= 2) {
    const int trials = draws_for(jobs);
    CHECK(trials <= before);
    before = trials;
  }
}

TEST_CASE("if fewer than eight trials are affordable, none are run: their ranks would have no meaning") {
  int jobs = 160'000;
  for (int trials = draws_for(jobs); trials > 0; trials = draws_for(jobs += 10'000)) {
    CHECK(trials >= 8);
    REQUIRE(jobs < 300'000);
  }
  CHECK(jobs > 160'000);
  CHECK(draws_for(2 * jobs) == 0);
}

TEST_CASE("jobs that are replayed together are dearer, whether nodes or a job join them") {
  CHECK(affordable_trials(six_parts(2'000, true)) == 64);
  CHECK(affordable_trials(six_parts(20'000, true)) == 27);
  Cluster cluster = six_parts(20'000, false);
  for (int i = 0; i < 6; ++i) cluster.jobs[0].partitions.push_back("p" + std::to_string(i));
  CHECK(affordable_trials(cluster) == 27);
  cluster.jobs[0].partitions = {"no such", "p1"};
  CHECK(affordable_trials(cluster) == 64);
}

TEST_CASE("jobs that preempt others cost more trials, and tiers without a preemptable job do not") {
  Cluster cluster = six_parts(20'000, true);
  const int without = affordable_trials(cluster);
  cluster.controller.preempt_type = "preempt/partition_prio";
  cluster.controller.preempt_mode = "REQUEUE";
  CHECK(affordable_trials(cluster) == without);  // one tier
  cluster.partitions[0].priority_tier = 2;
  CHECK(affordable_trials(cluster) < without);
  CHECK(affordable_trials(cluster) >= without / 3);
  cluster.controller.preempt_mode = "OFF";
  CHECK(affordable_trials(cluster) == without);
}
