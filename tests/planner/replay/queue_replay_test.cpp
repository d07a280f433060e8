#include "planner/replay/queue_replay.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::a_strategy;
using test::median;
using test::pending;
using test::queue_cluster;
using test::running;
using test::starts_at;

TEST_CASE("an idle node takes the job as it is submitted") {
  CHECK(median(queue_cluster(1, 4), a_strategy(1, 4, 1h)) == 0);
}

TEST_CASE("one GPU, one job with a limit: the wait is the rest of it") {
  Cluster cluster = queue_cluster(1, 1);
  running(cluster, "1", {"n0"}, 1, 2h, 30min);
  const Wait wait = test::wait_of(cluster, a_strategy(1, 1, 1h));
  // The job ends with the first of the checks of limits, which are half a minute apart.
  CHECK(wait.p10 >= 5402s);
  CHECK(wait.p10 < 5412s);
  CHECK(wait.p90 > 5422s);
  CHECK(wait.p90 <= 5435s);
  CHECK(wait.basis == "replay of 1 job with full time limits and no new arrivals, priority from the test");
}

TEST_CASE("a list with fewer nodes than the job has is part of its nodes") {
  Cluster cluster = queue_cluster(3, 4);
  running(cluster, "1", {"n0"}, 4, 2h);
  Strategy strategy = a_strategy(2, 4, 1h);
  CHECK(median(cluster, strategy) == 0);
  strategy.nodelist = {"n1"};
  CHECK(median(cluster, strategy) == 0);
  strategy.nodelist = {"n0"};
  CHECK(starts_at(median(cluster, strategy), 2h));
  strategy.nodelist = {"n9"};
  CHECK(median(cluster, strategy) == -1);
}

TEST_CASE("a waiting job gets the nodes that it names, and others") {
  Cluster cluster = queue_cluster(3, 4);
  running(cluster, "1", {"n0", "n1", "n2"}, 4, 1h);
  pending(cluster, "2", 2, 4, 10h).required_nodes = {"n2"};
  Strategy strategy = a_strategy(1, 4, 1h);
  strategy.nodelist = {"n2"};
  CHECK(starts_at(median(cluster, strategy), 11h));
  strategy.nodelist = {};
  CHECK(starts_at(median(cluster, strategy), 1h));
}

TEST_CASE("more than the cluster has never starts") {
  CHECK(median(queue_cluster(2, 4), a_strategy(3, 4, 1h)) == -1);
  CHECK(median(queue_cluster(2, 4), a_strategy(1, 5, 1h)) == -1);
}

TEST_CASE("a job ahead starts first, and a job behind has no effect") {
  Cluster cluster = queue_cluster(1, 1);
  running(cluster, "1", {"n0"}, 1, 1h);
  pending(cluster, "2", 1, 1, 2h, 500);
  ForecastInputs mine = test::last_in_line();
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h), mine), 3h));
  mine.priority = 501;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h), mine), 1h));
  mine.priority = 500;  // equal: the one that was there
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h), mine), 3h));
}

TEST_CASE("backfill: a short job slips in before a big one, a long one does not") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h);
  CHECK(median(cluster, a_strategy(1, 4, 3h)) <= 30);
  CHECK(median(cluster, a_strategy(1, 4, 3h)) > 0);  // not before the first backfill pass
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 5h)), 6h));
}

TEST_CASE("backfill plans no start for a job whose QOS has NoReserve") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h).qos = "loose";
  test::add_qos(cluster, "loose");
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 5h)), 6h));
  test::qos_of(cluster, "loose").flags = {"NoReserve"};
  CHECK(median(cluster, a_strategy(1, 4, 5h)) <= 30);
}

TEST_CASE("plans consider ends in growing windows: a late plan leaves room before it") {
  Cluster cluster = queue_cluster(3, 2);
  running(cluster, "1", {"n0"}, 1, 1h);
  running(cluster, "2", {"n1"}, 2, 67min);
  running(cluster, "3", {"n2"}, 1, 5min);
  running(cluster, "4", {"n2"}, 1, 10h);
  pending(cluster, "5", 1, 2, 2h);  // n0 is its own after an hour, but looked at with the end on n1
  CHECK(median(cluster, a_strategy(1, 1, 63min)) <= 30);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 68min)), 5min));
}

TEST_CASE("without backfill no job overtakes another") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h);
  cluster.controller.scheduler_type = "sched/builtin";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 3h)), 6h));
}

TEST_CASE("a planned job keeps its whole node, as Slurm's plan is made of nodes") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 2, 1h);
  pending(cluster, "2", 1, 3, 1h);
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 2h)), 1h));  // beside job 2 from its start on, not before
  CHECK(median(cluster, a_strategy(1, 1, 50min)) <= 30);
}

TEST_CASE("bf_window: no plan starts after it, so long jobs can start") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 30h);
  pending(cluster, "2", 2, 4, 2h);
  CHECK(median(cluster, a_strategy(1, 4, 40h)) <= 30);
  cluster.controller.scheduler_parameters["bf_window"] = "2880";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 40h)), 32h));
}

TEST_CASE("bf_max_job_test: jobs deeper in the queue are not considered") {
  Cluster cluster = queue_cluster(2, 4);
  running(cluster, "1", {"n0"}, 4, 4h);
  pending(cluster, "2", 2, 4, 2h);
  cluster.controller.scheduler_parameters["bf_max_job_test"] = "1";
  CHECK(starts_at(median(cluster, a_strategy(1, 4, 3h)), 6h));
}

TEST_CASE("a higher tier comes before any priority") {
  Cluster cluster = queue_cluster(1, 1);
  running(cluster, "1", {"n0"}, 1, 1h);
  test::add_partition(cluster, "low").max_time = 240h;
  cluster.nodes[0].partitions.push_back("low");
  test::partition_of(cluster, "gpu").priority_tier = 2;
  pending(cluster, "2", 1, 1, 2h, 5000).partitions = {"low"};
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 1h));
  test::partition_of(cluster, "low").priority_tier = 2;
  CHECK(starts_at(median(cluster, a_strategy(1, 1, 1h)), 3h));
}

TEST_CASE("several nodes wait for the last of them") {
  Cluster cluster = queue_cluster(3, 2);
  running(cluster, "1", {"n0"}, 1, 1h);
  running(cluster, "2", {"n1"}, 1, 2h);
  running(cluster, "3", {"n2"}, 1, 3h);
  CHECK(starts_at(median(cluster, a_strategy(2, 2, 1h)), 2h));
  CHECK(starts_at(median(cluster, a_strategy(1, 2, 1h)), 1h));
  CHECK(median(cluster, a_strategy(2, 1, 1h)) == 0);
}

TEST_CASE("strategies of one job are not in each other's strategy") {
  Cluster cluster = queue_cluster(1, 2);
  running(cluster, "1", {"n0"}, 2, 1h);
  const Forecast seen =
      test::foresee(cluster, {a_strategy(1, 2, 1h), a_strategy(1, 1, 2h), a_strategy(1, 2, 3h)}, test::last_in_line());
  for (const Prospect& one : seen.prospects) CHECK(starts_at(summary_of(one.starts, "").p50->count(), 1h));
}

TEST_CASE("the order of the snapshot's jobs does not matter, and the same seed gives the same starts") {
  Cluster cluster = queue_cluster(4, 4);
  for (int i = 0; i < 8; ++i) running(cluster, std::to_string(i), {"n" + std::to_string(i % 4)}, 2, 1h * (1 + i % 5));
  for (int i = 10; i < 60; ++i)
    pending(cluster, std::to_string(i), 1 + i % 2, 1 + i % 3, 1h * (1 + i % 7), i % 4 * 100);
  ForecastInputs inputs = test::last_in_line();
  for (int i = 0; i < 200; ++i) {
    FinishedJob job;
    job.user = "other";
    job.partition = "gpu";
    job.submitted = job.eligible = test::noon - 3min * i - 2h;
    job.start = job.submitted + 10min;
    job.end = job.start + 1min * (1 + i % 60);
    job.limit = 1h;
    job.cpus = job.gpus = 1;
    inputs.finished.push_back(job);
  }
  const std::vector<Strategy> strategies{a_strategy(1, 4, 2h), a_strategy(2, 2, 2h)};
  const Forecast first = test::foresee(cluster, strategies, inputs);
  CHECK(std::any_of(first.prospects[0].starts.begin(), first.prospects[0].starts.end(),
                    [&](ReplayTime at) { return at != first.prospects[0].starts[0]; }));
  std::mt19937 shuffler(7);
  for (int i = 0; i < 3; ++i) {
    std::shuffle(cluster.jobs.begin(), cluster.jobs.end(), shuffler);
    std::shuffle(inputs.finished.begin(), inputs.finished.end(), shuffler);
    inputs.threads = 1 + i;
    const Forecast again = test::foresee(cluster, strategies, inputs);
    CHECK(again.prospects[0].starts == first.prospects[0].starts);
    CHECK(again.prospects[1].starts == first.prospects[1].starts);
    CHECK(again.basis == first.basis);
  }
  inputs.seed = 2;
  CHECK(test::foresee(cluster, strategies, inputs).prospects[0].starts != first.prospects[0].starts);
}
