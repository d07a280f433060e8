#include "planner/start_latency.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/make_plan.h"
#include "queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

Plan four_of(const std::string& type, const Cluster& cluster, const ForecastInputs& inputs) {
  Request request = test::ask(4);
  request.types = {type};
  return make_plan(cluster, test::afton_catalogue(), request, inputs);
}

}  // namespace

TEST_CASE("without observed launches a launch takes a second, at most two") {
  const std::vector<ReplayTime> times = start_latencies({}, 1, 64);
  CHECK(times.size() == 64);
  CHECK(summary_of(times, "").p10 == 0s);
  CHECK(summary_of(times, "").p50 == 1s);
  CHECK(summary_of(times, "").p90 == 2s);
}

TEST_CASE("the more launches were seen, the more they count") {
  const auto slow = [](int seen) {
    const std::vector<ReplayTime> times = start_latencies(std::vector<std::chrono::seconds>(seen, 40s), 1, 1000);
    return std::count(times.begin(), times.end(), 40);
  };
  CHECK(slow(1) > 50);
  CHECK(slow(1) < 150);
  CHECK(slow(10) > 430);
  CHECK(slow(10) < 570);
  CHECK(slow(1000) > 970);
}

TEST_CASE("the order of observations does not matter, and the same seed gives the same times") {
  CHECK(start_latencies({3s, 9s, 5s}, 7, 64) == start_latencies({9s, 5s, 3s}, 7, 64));
  CHECK(start_latencies({3s, 9s, 5s}, 7, 64) != start_latencies({3s, 9s, 5s}, 8, 64));
}

TEST_CASE("every start is later by the launch, and a job that never starts is unchanged") {
  Prospect prospect;
  prospect.starts = {0, never};
  prospect.starts_by_limit = {{0, 10}, {100, never}};
  add_start_latency(prospect, {1, 2});
  CHECK(prospect.starts == std::vector<ReplayTime>{1, never});
  CHECK(prospect.starts_by_limit == std::vector<std::vector<ReplayTime>>{{1, 12}, {101, never}});
}

TEST_CASE("a strategy that is free now shows the duration of its launch") {
  ForecastInputs inputs;
  inputs.launch_waits.assign(200, 20s);
  for (const int trials : {64, 0}) {
    inputs.trials = trials;
    const Plan plan = four_of("a40", test::afton(), inputs);
    REQUIRE(!plan.strategies.empty());
    CHECK(plan.strategies[0].wait.basis == free_now_basis);
    CHECK(plan.strategies[0].wait.p50 == 20s);
  }
}
