// What lies far ahead is replayed in coarse steps; that must not make the queue slower.
#include <doctest/doctest.h>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

TEST_CASE("jobs that are shorter than a step follow one another within it") {
  Cluster cluster = test::queue_cluster(1, 1);
  constexpr int jobs = 300;
  for (int i = 0; i < jobs; ++i) test::pending(cluster, std::to_string(100 + i), 1, 1, 1h);
  ForecastInputs inputs = test::last_in_line();
  inputs.trials = 8;
  // All of the past ran for a hundredth of its limit; too short a record for arrivals.
  for (int i = 0; i < 50; ++i) {
    FinishedJob job;
    job.user = "other";
    job.account = "lab";
    job.partition = "gpu";
    job.limit = 1h;
    job.submitted = job.eligible = test::noon - 1h + 1min * i;
    job.start = job.submitted;
    job.end = job.start + 36s;
    inputs.finished.push_back(job);
  }
  const long long wait = test::median(cluster, test::a_strategy(1, 1, 1h), inputs);
  CHECK(wait >= jobs * 36);
  CHECK(wait <= jobs * (36 + 30));
}
