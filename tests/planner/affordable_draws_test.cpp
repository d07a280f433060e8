#include <doctest/doctest.h>

#include "planner/forecast.h"

using namespace rv::planner;

namespace {

int draws_for(int jobs) {
  Cluster cluster;
  cluster.jobs.resize(static_cast<std::size_t>(jobs));
  return affordable_draws(cluster);
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
    const int draws = draws_for(jobs);
    CHECK(draws <= before);
    before = draws;
  }
}

TEST_CASE("where fewer than eight could be had, none: their ranks would say nothing") {
  int jobs = 100'000;
  while (draws_for(jobs) > 0) {
    CHECK(draws_for(jobs) >= 8);
    jobs += 1'000;
    REQUIRE(jobs < 1'000'000);
  }
  CHECK(jobs > 150'000);
  CHECK(draws_for(10 * jobs) == 0);
}
