#include "planner/replay/model/run_times.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

FinishedJob ended(const std::string& user, std::chrono::seconds ran, std::chrono::seconds limit = 100min) {
  FinishedJob job;
  job.user = user;
  job.account = "lab";
  job.partition = "gpu";
  job.submitted = job.eligible = test::noon - 10h;
  job.start = test::noon - 9h;
  job.end = job.start + ran;
  job.limit = limit;
  return job;
}

JobKind kind(std::string_view user) {
  return {.user = user, .account = "lab", .partition = "gpu", .limit = 100min};
}

double middle(const RunTimes& times, const std::string& user, double used = 0) {
  return RunTimes::sample(times.group(kind(user)), used, 0.5, 0.5);
}

/// Of many trials, how many are this ratio.
double share(const RunTimes::Group& group, double ratio) {
  int found = 0;
  for (int level = 0; level < 100; ++level) {
    for (int i = 0; i < 100; ++i) {
      found += std::abs(RunTimes::sample(group, 0, level / 100.0, i / 100.0) - ratio) < 1e-4 ? 1 : 0;
    }
  }
  return found / 10'000.0;
}

}  // namespace

TEST_CASE("without a record jobs run to their limits") {
  const RunTimes none;
  CHECK(none.size() == 0);
  CHECK(middle(none, "a") == 1);
}

TEST_CASE("a job without a limit or a start is not used") {
  FinishedJob unlimited = ended("a", 10min, 0s);
  FinishedJob cancelled = ended("a", 0s);
  CHECK(RunTimes({unlimited, cancelled}).size() == 0);
}

TEST_CASE("a user with many jobs is judged by them, one with few by everybody") {
  std::vector<FinishedJob> record;
  for (int i = 0; i < 200; ++i) record.push_back(ended("many", 90min));
  for (int i = 0; i < 200; ++i) record.push_back(ended("crowd", 10min));
  record.push_back(ended("few", 50min));
  const RunTimes times(record);
  CHECK(times.size() == 401);
  CHECK(middle(times, "many") == doctest::Approx(0.9));
  CHECK(middle(times, "crowd") == doctest::Approx(0.1));
  // One job of eleven parts, the rest of the partition.
  int own = 0;
  for (int i = 0; i < 1000; ++i) {
    own += std::abs(RunTimes::sample(times.group(kind("few")), 0, i / 1000.0, 0.3) - 0.5) < 0.01 ? 1 : 0;
  }
  CHECK(own > 80);
  CHECK(own < 100);
  CHECK(RunTimes::sample(times.group(kind("stranger")), 0, 0.5, 0.3) == doctest::Approx(0.1));
}

TEST_CASE("a user's jobs follow either their own record or that of all users") {
  std::vector<FinishedJob> record;
  for (int i = 0; i < 10; ++i) record.push_back(ended("a", 50min));
  for (int i = 0; i < 100; ++i) record.push_back(ended("crowd", 10min));
  const RunTimes times(record);
  const RunTimes::Group group = times.group(kind("a"));
  for (const double chance : {0.0, 0.3, 0.6, 0.9}) {
    CHECK(RunTimes::sample(group, 0, 0.1, chance) == doctest::Approx(0.5));
    CHECK(RunTimes::sample(group, 0, 0.999, chance) == doctest::Approx(0.1));
  }
}

TEST_CASE("repeated work runs as long as before, if names identify it") {
  std::vector<FinishedJob> record;
  for (std::uint32_t name = 1; name <= 6; ++name) {
    for (int i = 0; i < 5; ++i) {
      record.push_back(ended("a", std::chrono::minutes(15 * name)));
      record.back().name_key = name;
    }
  }
  const RunTimes times(record);
  JobKind third = kind("a");
  third.name_key = 3;
  CHECK(times.credibility(RunTimes::same_name) < 1);
  CHECK(share(times.group(third), 0.45) > 0.8);
  third.limit = 50min;  // with another limit: still by its name
  CHECK(share(times.group(third), 0.45) > 0.8);
  third.name_key = 99;
  CHECK(share(times.group(third), 0.45) < 0.25);
}

TEST_CASE("names that identify nothing are ignored") {
  std::vector<FinishedJob> record;
  for (std::uint32_t name = 1; name <= 6; ++name) {
    for (int i = 0; i < 6; ++i) {
      record.push_back(ended("a", std::chrono::minutes(15 * (1 + i))));
      record.back().name_key = name;
    }
  }
  CHECK(RunTimes(record).credibility(RunTimes::same_name) > 100);
}

TEST_CASE("a job that still runs shows that it takes longer") {
  std::vector<FinishedJob> record;
  for (int i = 0; i < 40; ++i) record.push_back(ended("crowd", std::chrono::minutes(1 + 2 * i)));
  record.push_back(ended("a", 1min));
  record.back().name_key = 7;
  record.back().gpus = 1;
  Cluster cluster = test::queue_cluster(4, 1);
  for (const char* id : {"1", "2", "3"}) {
    test::running(cluster, id, {"n0"}, 1, 100min, 40min);
    cluster.jobs.back().user = "a";
    cluster.jobs.back().account = "lab";
    cluster.jobs.back().name_key = 7;
  }
  JobKind another = kind("a");
  another.name_key = 7;
  another.gpus = 1;
  const RunTimes ended_alone(record);
  const RunTimes times(record, &cluster);
  CHECK(share(times.group(another), 0.01) < share(ended_alone.group(another), 0.01));
  int longer = 0;
  for (int i = 0; i < 1000; ++i) {
    longer += RunTimes::sample(times.group(another), 0, 0.01, i / 1000.0) > 0.4 ? 1 : 0;
  }
  CHECK(longer == 750);  // three of its four
}

TEST_CASE("a job that has run long runs as long as earlier jobs that did") {
  std::vector<FinishedJob> record;
  for (int i = 0; i < 90; ++i) record.push_back(ended("a", 1min));
  for (int i = 0; i < 10; ++i) record.push_back(ended("a", 80min));
  const RunTimes times(record);
  CHECK(middle(times, "a") == doctest::Approx(0.01));
  CHECK(middle(times, "a", 0.02) == doctest::Approx(0.8));
  CHECK(middle(times, "a", 0.9) == 1);  // nobody: the limit
}

TEST_CASE("jobs that end early let others start early, under the condition that they still run") {
  Cluster cluster = test::queue_cluster(1, 1);
  test::running(cluster, "1", {"n0"}, 1, 100min, 50min);
  ForecastInputs inputs = test::last_in_line();
  for (int i = 0; i < 100; ++i) inputs.finished.push_back(ended("other", 5min));
  for (int i = 0; i < 100; ++i) inputs.finished.push_back(ended("other", 60min));
  for (FinishedJob& job : inputs.finished) job.submitted = job.eligible = test::noon - 30 * 24h;
  CHECK(test::starts_at(test::median(cluster, test::a_strategy(1, 1, 1h), inputs), 10min));
}
