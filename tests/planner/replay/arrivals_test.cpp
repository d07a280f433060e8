#include "planner/replay/model/arrivals.h"

#include <doctest/doctest.h>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

/// One that took a GPU for all of its limit.
FinishedJob came(TimePoint submitted, std::chrono::seconds limit) {
  FinishedJob job;
  job.user = "other";
  job.account = "lab";
  job.partition = "gpu";
  job.submitted = job.eligible = job.start = submitted;
  job.end = job.start + limit;
  job.limit = limit;
  job.cpus = job.gpus = 1;
  job.gpu_type = "v100";
  return job;
}

/// The only GPU is taken for another hour and a half, by the one whose later jobs go before mine.
Cluster taken_for_90_minutes() {
  Cluster cluster = test::queue_cluster(1, 1);
  test::running(cluster, "1", {"n0"}, 1, 2h, 30min);
  return cluster;
}

/// `days` of days, each with one job of half an hour, so long after the time of day at which it is now.
ForecastInputs every_day(int days, std::chrono::seconds after) {
  ForecastInputs inputs = test::last_in_line();
  inputs.finished.push_back(came(test::noon - days * 24h - 1h, 5min));  // where the record begins
  for (int day = days; day > 0; --day) inputs.finished.push_back(came(test::noon - day * 24h + after, 30min));
  return inputs;
}

}  // namespace

TEST_CASE("a job that arrives before the GPU is free goes first, at the usual time of day of such jobs") {
  const Cluster cluster = taken_for_90_minutes();
  const Strategy mine = test::a_strategy(1, 1, 1h);
  CHECK(test::starts_at(test::median(cluster, mine, every_day(14, 30min)), 120min));
  CHECK(test::starts_at(test::median(cluster, mine, every_day(14, 6h)), 90min));
}

TEST_CASE("my own later jobs have my priority of today and do not overtake me") {
  Cluster cluster = taken_for_90_minutes();
  cluster.jobs[0].user = "me";  // with a priority from better times
  ForecastInputs inputs = every_day(14, 30min);
  for (FinishedJob& job : inputs.finished) job.user = "me";
  CHECK(test::starts_at(test::median(cluster, test::a_strategy(1, 1, 1h), inputs), 90min));
}

TEST_CASE("a record of a single day does not bring the same jobs in each trial") {
  ForecastInputs inputs = test::last_in_line();
  for (int hour = 25; hour > 0; hour -= 3) inputs.finished.push_back(came(test::noon - hour * 1h + 30min, 30min));
  const Wait wait = test::wait_of(taken_for_90_minutes(), test::a_strategy(1, 1, 1h), inputs);
  REQUIRE(wait.p10);
  CHECK(test::starts_at(wait.p10->count(), 90min));
  REQUIRE(wait.p90);
  CHECK(*wait.p90 >= 2h);
}

TEST_CASE("a record of less than two hours gives no arrivals") {
  ForecastInputs inputs = test::last_in_line();
  inputs.finished.push_back(came(test::noon - 100min, 10min));
  const Wait wait = test::wait_of(taken_for_90_minutes(), test::a_strategy(1, 1, 1h), inputs);
  CHECK(wait.basis.find("no new arrivals") != std::string::npos);
  CHECK(test::starts_at(wait.p90->count(), 90min));
}
