#include "planner/past/log_predictions.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "planner/past/past_states.h"
#include "planner/past/recent_waits.h"

using namespace rv;
using namespace rv::planner;
using std::chrono::seconds;

namespace {

constexpr std::int64_t begin = 1'700'000'000;

FinishedJob job(std::int64_t submitted, std::int64_t wait, std::int64_t run, int nodes, int gpus = 0) {
  FinishedJob job;
  job.user = "ann";
  job.partition = "gpu";
  job.submitted = job.eligible = TimePoint(seconds(begin + submitted));
  job.start = job.submitted + seconds(wait);
  job.end = job.start + seconds(run);
  job.limit = seconds(7200);
  job.nodes = nodes;
  job.gpus = gpus;
  return job;
}

JobLog log_of(std::vector<FinishedJob> jobs, bool has_gpus = false) {
  JobLog log;
  log.jobs = std::move(jobs);
  log.rows = log.jobs.size();
  log.has_gpus = has_gpus;
  log.has_limits = log.has_partitions = true;
  return log;
}

PastWait replayed(const PastPredictions& past, std::size_t place) {
  return past.predictions.at(place).waits[static_cast<std::size_t>(Predictor::replay)];
}

PastPredictions predict(const JobLog& log, const Machine& machine) {
  PastSettings settings;
  settings.warm_up = 0;
  settings.trials = 8;
  return predict_log(log, machine, GpuCatalogue(), settings);
}

/// Fifty jobs on a machine of four nodes, with a queue.
JobLog busy_log() {
  std::vector<FinishedJob> jobs;
  jobs.reserve(50);
  for (std::int64_t i = 0; i < 50; ++i) {
    jobs.push_back(job(i * 300, i % 7 * 400, 600 + i % 5 * 900, 1 + static_cast<int>(i % 3)));
  }
  return log_of(std::move(jobs));
}

}  // namespace

TEST_CASE("a machine without a stated size is as large as the most used at once") {
  const auto machine = machine_of_log(log_of({job(0, 0, 100, 3), job(50, 0, 100, 4), job(200, 0, 10, 5)}), {});
  CHECK(machine.cluster.nodes.size() == 7);
  CHECK(machine.description == "7 nodes, the most used at once");
  const auto stated = machine_of_log(log_of({job(0, 0, 100, 3)}), MachineSize{.nodes = 12, .gpus_per_node = 4});
  CHECK(stated.cluster.nodes.size() == 12);
  CHECK(stated.description == "12 nodes");
}

TEST_CASE("GPUs of each type are nodes of their own") {
  auto log = log_of({job(0, 0, 100, 2, 8), job(10, 0, 100, 1, 2)}, true);
  log.jobs[0].gpu_type = "a100";
  log.jobs[1].gpu_type = "v100";
  const auto machine = machine_of_log(log, {});
  REQUIRE(machine.cluster.nodes.size() == 3);
  CHECK(machine.cluster.nodes[0].gpus[0].total == 4);
  CHECK(machine.cluster.nodes[2].gpus[0].type == "v100");
}

TEST_CASE("a log that needs too many nodes is refused") {
  CHECK_THROWS_AS(machine_of_log(log_of({job(0, 0, 100, 900'000)}), {}), Error);
}

TEST_CASE("the state at a submission has no start of a waiting job, and no end of a running job") {
  const auto log = log_of({job(0, 0, 1000, 3), job(100, 0, 200, 1), job(200, 800, 50, 2), job(400, 0, 10, 1)});
  const auto machine = machine_of_log(log, MachineSize{.nodes = 4, .gpus_per_node = 0});
  PastStates states(log, machine);
  states.advance(3);
  const auto cluster = states.cluster();
  REQUIRE(cluster.jobs.size() == 2);
  CHECK(cluster.jobs[0].state == "RUNNING");
  CHECK(cluster.jobs[0].node_names.size() == 3);
  CHECK(cluster.jobs[1].state == "PENDING");
  CHECK(!cluster.jobs[1].start);
  const auto finished = states.finished(10);
  REQUIRE(finished.size() == 1);
  CHECK(finished[0].nodes == 1);
}

TEST_CASE("a prediction does not depend on what was known only afterwards") {
  const JobLog log = busy_log();
  const auto machine = machine_of_log(log, MachineSize{.nodes = 9, .gpus_per_node = 0});
  const auto before = predict(log, machine);
  constexpr std::size_t scored = 30;
  const TimePoint moment = log.jobs[scored].submitted;
  JobLog other = log;
  for (std::size_t i = 0; i < other.jobs.size(); ++i) {
    FinishedJob& one = other.jobs[i];
    // Other ends of what ran, other starts of what waited; later jobs are other jobs.
    if (one.start > moment || i >= scored) one.start = std::max(one.start, moment) + seconds(3333);
    if (one.end > moment || i >= scored) one.end = std::max(one.end, one.start) + seconds(4444);
    if (i > scored) one.nodes = 3, one.user = "bob";
  }
  const auto after = predict(other, machine);
  for (const auto predictor : {Predictor::replay, Predictor::learned, Predictor::last_few, Predictor::last_many}) {
    const auto& one = before.predictions[scored].waits[static_cast<std::size_t>(predictor)];
    const auto& two = after.predictions[scored].waits[static_cast<std::size_t>(predictor)];
    CHECK(one.p10 == two.p10);
    CHECK(one.p50 == two.p50);
    CHECK(one.p90 == two.p90);
  }
}

TEST_CASE("a job behind a full machine is predicted to wait, and on an idle one to start") {
  const auto log = log_of({job(0, 0, 7200, 4), job(60, 7140, 100, 1), job(100'000, 0, 100, 1)});
  const auto machine = machine_of_log(log, {});
  CHECK(machine.cluster.nodes.size() == 4);
  const auto past = predict(log, machine);
  REQUIRE(past.predictions.size() == 3);
  CHECK(replayed(past, 1).p50.value() > seconds(7000));
  CHECK(replayed(past, 1).p50.value() < seconds(7400));
  CHECK(replayed(past, 2).p50.value() < seconds(120));
}

TEST_CASE("a job without GPUs left over starts when enough GPUs of a node are free") {
  const auto log = log_of({job(0, 0, 3600, 1, 3), job(60, 0, 100, 1, 1), job(120, 3480, 100, 1, 2)}, true);
  const auto past = predict(log, machine_of_log(log, MachineSize{.nodes = 1, .gpus_per_node = 4}));
  CHECK(replayed(past, 1).p50.value() < seconds(120));
  CHECK(replayed(past, 2).p50.value() > seconds(3000));
}

TEST_CASE("the result does not depend on the number of threads, and samples are spread evenly") {
  const JobLog log = busy_log();
  const auto machine = machine_of_log(log, MachineSize{.nodes = 9, .gpus_per_node = 0});
  PastSettings settings;
  settings.trials = 4;
  settings.most = 10;
  const auto one = predict_log(log, machine, GpuCatalogue(), settings);
  settings.threads = 3;
  const auto three = predict_log(log, machine, GpuCatalogue(), settings);
  // One of the ten is in the warm-up: it is learned from.
  REQUIRE(one.predictions.size() == 9);
  CHECK(one.warm_up == 5);
  CHECK(one.scorable == 45);
  for (std::size_t i = 0; i < one.predictions.size(); ++i) {
    CHECK(one.predictions[i].job == three.predictions[i].job);
    CHECK(replayed(one, i).p50 == replayed(three, i).p50);
  }
}

TEST_CASE("loops of short jobs are left out") {
  std::vector<FinishedJob> jobs;
  jobs.reserve(11);
  for (std::int64_t i = 0; i < 10; ++i) jobs.push_back(job(i * 30, 5, 10, 1));
  jobs.push_back(job(1000, 5, 100, 1));
  JobLog log = log_of(std::move(jobs));
  log.has_users = true;
  const auto past = predict(log, machine_of_log(log, {}));
  CHECK(past.loops == 10);
  CHECK(past.predictions.size() == 1);
}

TEST_CASE("recent waits are those of the same partition and size, or of all until there are three") {
  RecentWaits recent;
  CHECK(!recent.last(job(0, 0, 1, 1), 5).p50);
  for (int i = 0; i < 4; ++i) recent.add(job(i, 1000, 10, 64));
  CHECK(recent.last(job(0, 0, 1, 1), 5).p50 == seconds(1000));
  for (std::int64_t i = 0; i < 4; ++i) recent.add(job(i, 10 * i, 10, 1));
  CHECK(recent.last(job(0, 0, 1, 1), 3).p50 == seconds(20));
}
