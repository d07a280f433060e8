#include "planner/replay/passes/request_steps.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/seeded_random.h"
#include "planner/replay/jobs/replay_state.h"
#include "planner/replay/model/release_steps.h"
#include "tests/planner/replay_parts.h"

using namespace rv;
using namespace rv::planner;

namespace {

constexpr int nodes = 12;
constexpr ReplayTime limit = 100'000;

/// A job of random length on each node. Some nodes have a plan that a long job would meet.
struct RandomJobs {
  explicit RandomJobs(std::uint64_t seed) : small(nodes) {
    for (int i = 0; i < nodes; ++i) {
      const auto number = static_cast<std::uint64_t>(i);
      const auto end = 1 + static_cast<ReplayTime>(mixed(seed, number) % 4000);
      small.add_running(i, 8, end);
      const bool planned = mixed(seed, 100 + number) % 3 == 0;
      (planned ? elsewhere : ends).push_back(end);
      if (planned) planned_nodes.push_back(i);
      outside.push_back(static_cast<ReplayTime>(mixed(seed, 200 + number) % 5000));
    }
    std::sort(elsewhere.begin(), elsewhere.end());
    std::sort(outside.begin(), outside.end());
    small.model.times.phase_of_steps = static_cast<std::int64_t>(seed % ReleaseSteps::first_window);
  }
  test::SmallReplay small;
  std::vector<ReplayTime> ends, elsewhere, outside;
  std::vector<int> planned_nodes;
};

struct Trial {
  explicit Trial(const RandomJobs& jobs)
      : state(jobs.small.model),
        plans(jobs.small.model),
        steps(jobs.small.model, state.running(), plans, state.nodes().timeline()) {
    state.enter(jobs.small.component);
    state.begin(1);
    for (const int node : jobs.planned_nodes) plans.add(node, {50'000, 60'000, false});
    steps.reset(jobs.outside);
  }
  ReplayState state;
  NodePlans plans;
  RequestSteps steps;
};

}  // namespace

TEST_CASE("a job's own steps are those of the ends on the nodes that are open to it") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const RandomJobs jobs(seed);
    Trial trial(jobs);
    trial.steps.begin({0, 0, limit, -1}, 0);
    std::vector<ReplayTime> others = jobs.elsewhere;
    others.insert(others.end(), jobs.outside.begin(), jobs.outside.end());
    std::sort(others.begin(), others.end());
    ReleaseSteps expected;
    expected.assign(jobs.ends, others, jobs.small.model.times.phase_of_steps);
    // In any order: each call continues where the last one ended.
    for (int i = 0; i < 20; ++i) {
      const auto end = static_cast<ReplayTime>(mixed(seed, 300 + i) % 4200);
      CAPTURE(seed);
      CAPTURE(end);
      CHECK(trial.steps.try_after(end) == expected.try_after(end));
    }
  }
}

TEST_CASE("a short job may use nodes whose plan begins behind it") {
  const RandomJobs jobs(7);
  REQUIRE(!jobs.elsewhere.empty());
  Trial trial(jobs);
  trial.steps.begin({0, 0, 100, -1}, 0);
  std::vector<ReplayTime> all = jobs.ends;
  all.insert(all.end(), jobs.elsewhere.begin(), jobs.elsewhere.end());
  ReleaseSteps expected;
  expected.assign(all, jobs.outside, jobs.small.model.times.phase_of_steps);
  for (const ReplayTime end : all) CHECK(trial.steps.try_after(end) == expected.try_after(end));
}

TEST_CASE("separate steps are too expensive behind many jobs of a pass and on many nodes") {
  RandomJobs jobs(1);
  Trial trial(jobs);
  trial.steps.begin_pass();
  int begun = 0;
  for (; trial.steps.affordable(0) && begun < 1000; ++begun) trial.steps.begin({0, 0, limit, -1}, 0);
  CHECK(begun == 16);
  trial.steps.begin_pass();
  CHECK(trial.steps.affordable(0));
  jobs.small.model.partition_nodes[0].resize(1000);
  CHECK_FALSE(trial.steps.affordable(0));
}
