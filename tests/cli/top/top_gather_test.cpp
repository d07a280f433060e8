#include <doctest/doctest.h>

#include "cli/top/gather.h"

namespace rv::cli::top {
namespace {

using namespace std::chrono_literals;

const TimePoint now{std::chrono::seconds(1'795'262'400)};

monitor::RunRecord record() {
  monitor::RunRecord record;
  record.id = "aaaaaa";
  record.created = now - 2h;
  return record;
}

TEST_CASE("the bar of a chain that is done is full") {
  monitor::RunView view;
  view.chain.emplace();
  view.chain->used = 4h;
  view.chain->total = 7h;
  view.state = monitor::RunState::running;
  CHECK(run_of(record(), view, now).progress.value() == doctest::Approx(4.0 / 7));
  view.state = monitor::RunState::done;
  CHECK(run_of(record(), view, now).progress.value() == 1.0);
  view.state = monitor::RunState::failed;
  CHECK(run_of(record(), view, now).progress.value() < 1.0);
}

TEST_CASE("an array's counts are shown once") {
  monitor::RunView view;
  view.array.emplace();
  view.array->indices = {1, 2, 3};
  view.state = monitor::RunState::running;
  view.detail = "0 of 3 elements done";
  CHECK(run_of(record(), view, now).progress_words.empty());
  view.detail = "waits for the rest";
  CHECK(run_of(record(), view, now).progress_words == "0 of 3 elements done");
}

planner::QueuedJob waiting_job(const std::string& id, std::int64_t priority, const std::string& reason = "Priority") {
  planner::QueuedJob job;
  job.id = id;
  job.user = "ann";
  job.state = "PENDING";
  job.reason = reason;
  job.priority = priority;
  job.partitions = {"gpu-a40"};
  return job;
}

TEST_CASE("a run's place is counted as rv why counts it: no blocked jobs, and no other candidates of the run") {
  planner::Cluster cluster;
  cluster.user = "ann";
  cluster.jobs = {waiting_job("11", 900), waiting_job("12", 950, "Dependency"), waiting_job("13", 500),
                  waiting_job("14", 400), waiting_job("15_[1-3]", 300)};
  cluster.jobs[3].partitions = {"gpu-a40", "gpu-a100"};
  Run run;
  run.id = "k3f9x2";
  run.jobs = {"13", "14"};
  Run other;
  other.id = "zzzzzz";
  const auto places = places_in_queue(cluster, {run, other});
  REQUIRE(places.size() == 1);
  const auto& place = places.at("k3f9x2");
  CHECK(place.place == 2);
  CHECK(place.of == 3);
  CHECK(place.partition == "gpu-a40");
  cluster.unanswered[planner::jobs_of_others] = "PrivateData";
  CHECK(places_in_queue(cluster, {run}).empty());
}

TEST_CASE("jobs that rv did not submit are listed by their IDs, the newest first; others are not") {
  const auto job = [](std::uint32_t id, const std::string& name, const std::string& state, std::chrono::seconds ago) {
    slurm::JobUse made;
    made.id = {id};
    made.shown = std::to_string(id);
    made.name = name;
    made.state = state;
    made.start = now - ago - 1min;
    made.end = now - ago;
    made.gpus = 2;
    return made;
  };
  const auto jobs = jobs_beside(
      {job(1, "old", "FAILED", 3h), job(2, "train@k3f9x2.1", "COMPLETED", 2h), job(3, "a@b.c", "TIMEOUT", 1h),
       job(4, "new", "COMPLETED", 1min), job(5, "odd", "NEWWORD", 2h), job(6, "", "COMPLETED", 1s)},
      3);
  REQUIRE(jobs.size() == 3);
  CHECK(jobs[0].id == "4");
  CHECK(jobs[0].is_job);
  CHECK(jobs[0].state == monitor::RunState::done);
  CHECK(jobs[0].gpus == "2 GPUs");
  CHECK(jobs[1].name == "a@b.c");
  CHECK(jobs[1].state == monitor::RunState::timeout);
  CHECK(jobs[2].id == "5");
  CHECK(jobs[2].state == monitor::RunState::unknown);
  CHECK(jobs[2].detail == "Slurm job, NEWWORD");
}

}  // namespace
}  // namespace rv::cli::top
