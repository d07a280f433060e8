#include "planner/waiting_job.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/predicted_end.h"
#include "planner/queue_position.h"
#include "queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

/// One node of four V100, taken for three hours more. Job 20 of the user waits behind 11 and before 12.
Cluster busy() {
  Cluster cluster = test::queue_cluster(1, 4);
  test::running(cluster, "1", {"n0"}, 4, 4h, 1h);
  test::pending(cluster, "11", 1, 4, 2h, 900);
  test::pending(cluster, "20", 1, 4, 1h, 800).user = "me";
  test::pending(cluster, "12", 1, 2, 1h, 100);
  return cluster;
}

WaitingJob job_20() {
  return {.id = "20", .gpu_type = "v100", .gpus = 4, .nodes = 1, .partition = "gpu", .time_limit = 1h};
}

ForecastInputs new_job() {
  ForecastInputs inputs = test::last_in_line();
  return inputs;
}

}  // namespace

TEST_CASE("a position in the queue follows Slurm's order, with the requests of the jobs ahead") {
  Cluster cluster = busy();
  auto place = queue_position(cluster, "20");
  REQUIRE(place.has_value());
  CHECK(place->place == 2);
  CHECK(place->waiting == 3);
  CHECK(place->gpus_ahead == 4);
  CHECK(place->own_ahead == 0);
  SUBCASE("elements of an array count each") {
    test::pending(cluster, "13_[1-5]", 1, 1, 1h, 950).array_tasks = 5;
    place = queue_position(cluster, "20");
    CHECK(place->place == 7);
    CHECK(place->gpus_ahead == 9);
  }
  SUBCASE("held jobs and those of another partition do not count") {
    test::pending(cluster, "13", 1, 1, 1h, 950).reason = "JobHeldUser";
    test::pending(cluster, "14", 1, 1, 1h, 950).reason = "Dependency";
    test::pending(cluster, "15", 1, 1, 1h, 950).partitions = {"cpu"};
    CHECK(queue_position(cluster, "20")->place == 2);
  }
  SUBCASE("equal priorities stand by ID, own jobs are named") {
    test::pending(cluster, "19", 1, 1, 1h, 800).user = "me";
    test::pending(cluster, "21", 1, 1, 1h, 800);
    place = queue_position(cluster, "20");
    CHECK(place->place == 3);
    CHECK(place->own_ahead == 1);
    place = queue_position(cluster, "20", {"19", "20"});  // of one run
    CHECK(place->place == 2);
    CHECK(place->waiting == 4);
    CHECK(place->own_ahead == 0);
  }
  SUBCASE("a higher PriorityTier goes first") {
    test::add_partition(cluster, "urgent").priority_tier = 9;
    test::pending(cluster, "22", 1, 1, 1h, 1).partitions = {"urgent", "gpu"};
    CHECK(queue_position(cluster, "20")->place == 3);
  }
  SUBCASE("nothing is said of a job that runs or is not there, and of a queue that is hidden") {
    CHECK_FALSE(queue_position(cluster, "1").has_value());
    CHECK_FALSE(queue_position(cluster, "2").has_value());
    cluster.unanswered[jobs_of_others] = "PrivateData";
    CHECK_FALSE(queue_position(cluster, "20").has_value());
  }
}

TEST_CASE("a waiting job starts by its own priority, not by that of a new job") {
  const auto found = forecast_waiting(busy(), test::afton_catalogue(), test::ask(4, 1h), {job_20()}, new_job());
  REQUIRE(found.strategy.has_value());
  REQUIRE(found.strategy->wait.p50.has_value());
  CHECK(test::starts_at(found.strategy->wait.p50->count(), 5h));  // 3 of the running job, 2 of job 11
  CHECK(found.strategy->wait.basis.find("its own priority") != std::string::npos);
  Cluster higher = busy();
  higher.jobs[2].priority = 1000;
  const auto first = forecast_waiting(higher, test::afton_catalogue(), test::ask(4, 1h), {job_20()}, new_job());
  CHECK(test::starts_at(first.strategy->wait.p50->count(), 3h));
}

TEST_CASE("a job does not start before its begin time, and no other request of the run would") {
  Cluster cluster = busy();
  auto& job = *std::find_if(cluster.jobs.begin(), cluster.jobs.end(), [](const auto& one) { return one.id == "20"; });
  job.eligible = cluster.taken_at + 30min;  // long before there are free GPUs
  const auto ask = [&] {
    return forecast_waiting(cluster, test::afton_catalogue(), test::ask(4, 1h), {job_20()}, new_job());
  };
  CHECK(test::starts_at(ask().strategy->wait.p50->count(), 5h));
  job.eligible = cluster.taken_at + 9h;
  const auto later = ask();
  CHECK(later.strategy->wait.p10 == 9h);
  CHECK(later.strategy->wait.p50 == 9h);
  CHECK(later.sooner.empty());
}

TEST_CASE("jobs of the same request do not wait for each other") {
  Cluster cluster = busy();
  test::pending(cluster, "18", 1, 4, 1h, 850).user = "me";
  WaitingJob other = job_20();
  other.id = "18";
  const auto found = forecast_waiting(cluster, test::afton_catalogue(), test::ask(4, 1h), {job_20(), other}, new_job());
  CHECK(test::starts_at(found.strategy->wait.p50->count(), 5h));
}

TEST_CASE("alternatives are requests that would start sooner as a new job") {
  Cluster cluster = busy();
  test::add_partition(cluster, "spare").max_time = 240h;
  test::add_nodes(cluster, "s", 1, "spare", {"a40", 4}, 32, 256, {});
  const auto found = forecast_waiting(cluster, test::afton_catalogue(), test::ask(4, 1h), {job_20()}, new_job());
  REQUIRE(found.sooner.size() == 1);
  CHECK(in_words(found.sooner[0], *found.strategy) == "a40 instead of v100 starts now: -t a40");
  SUBCASE("a job ahead that takes it leaves nothing to offer") {
    test::pending(cluster, "30", 1, 4, 9h, 700).partitions = {"spare"};
    cluster.jobs.back().gres_per_node = "gres:gpu:a40:4";
    CHECK(forecast_waiting(cluster, test::afton_catalogue(), test::ask(4, 1h), {job_20()}, new_job()).sooner.empty());
  }
}

TEST_CASE("no start is predicted for a job that no longer fits the cluster") {
  WaitingJob gone = job_20();
  gone.gpu_type = "h200";
  CHECK_FALSE(
      forecast_waiting(busy(), test::afton_catalogue(), test::ask(4, 1h), {gone}, new_job()).strategy.has_value());
}

TEST_CASE("a running job ends by the run times of finished ones, at its limit at the latest") {
  const Cluster cluster = busy();
  const auto bare = predicted_end(cluster, {}, "1");
  REQUIRE(bare.has_value());
  CHECK(bare->latest == 3h);
  CHECK_FALSE(bare->p50.has_value());
  std::vector<FinishedJob> finished;
  for (int i = 0; i < 50; ++i) {
    FinishedJob job;
    job.user = "other";
    job.account = "lab";
    job.partition = "gpu";
    job.submitted = job.eligible = job.start = test::noon - 9h;
    job.limit = 4h;
    job.end = job.start + 2h;
    finished.push_back(job);
  }
  const auto learned = predicted_end(cluster, finished, "1");
  REQUIRE(learned->p50.has_value());
  CHECK(learned->p50 == 1h);  // half of its limit, of which it has run a quarter
  CHECK(learned->latest == 3h);
  CHECK_FALSE(predicted_end(cluster, finished, "11").has_value());
}
