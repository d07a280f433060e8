#include "cli/use/run_use.h"

#include <doctest/doctest.h>

namespace rv::cli {
namespace {

planner::TimePoint at(long seconds) {
  return planner::TimePoint{std::chrono::seconds(1'790'000'000 + seconds)};
}

slurm::JobUse job(std::uint32_t id, const std::string& shown, long begin, long end) {
  slurm::JobUse made;
  made.id = {id};
  made.shown = shown;
  made.name = "train@k3f9x2.1";
  made.state = "COMPLETED";
  made.start = at(begin);
  made.end = at(end);
  made.nodes = 2;
  made.cpus = 8;
  made.memory = Mebibytes{128 * 1024};
  made.cpu_seconds = 50;
  return made;
}

monitor::RunRecord record() {
  monitor::RunRecord made;
  made.id = "k3f9x2";
  monitor::Candidate candidate;
  candidate.job_name = "train@k3f9x2.1";
  made.candidates = {candidate};
  return made;
}

KeptReadings sample(long seconds, int index, std::optional<double> busy, double memory) {
  GpuReading gpu;
  gpu.node = "n1";
  gpu.index = index;
  gpu.utilisation = busy;
  gpu.memory_used = memory;
  gpu.memory_total = 46068;
  return {.time = at(seconds), .readings = {.gpus = {gpu}, .troubles = {}}};
}

}  // namespace

TEST_CASE("only jobs with the run's name count: Slurm reuses IDs") {
  auto stranger = job(71, "71", 0, 100);
  stranger.name = "train@zzzzzz.1";
  auto retried = job(72, "72", 0, 100);
  retried.name = "train@k3f9x2.1.2";
  const auto attempts = attempts_of({stranger, job(71, "71", 200, 300), retried}, record(), {});
  REQUIRE(attempts.size() == 2);
  CHECK(attempts[0].job.start == at(200));
  CHECK(attempts[0].memory == Mebibytes{64 * 1024});
  CHECK(attempts[0].cpus == doctest::Approx(0.5));
  CHECK(attempts[1].job.id == slurm::JobId{72});
}

TEST_CASE("starts of one job and elements of an array stay apart, with their own GPUs' samples") {
  const std::vector<JobSamples> samples = {
      {{71},
       {sample(10, 0, 20, 1000), sample(20, 0, std::nullopt, 3000), sample(30, 0, 40, 2000), sample(150, 0, 90, 9000)}},
      {{73}, {sample(10, 1, 99, 1)}}};
  const auto attempts =
      attempts_of({job(71, "71", 0, 100), job(71, "71", 120, 200), job(75, "74_3", 0, 100)}, record(), samples);
  REQUIRE(attempts.size() == 3);
  CHECK(attempts[0].restart == 0);
  CHECK(attempts[1].restart == 1);
  REQUIRE(attempts[0].gpus.size() == 1);
  CHECK(attempts[0].gpus[0].busy == doctest::Approx(30));
  CHECK(attempts[0].gpus[0].most_busy == 40);
  CHECK(attempts[0].gpus[0].peak_memory == 3000);
  CHECK(attempts[0].gpus[0].samples == 3);
  REQUIRE(attempts[1].gpus.size() == 1);
  CHECK(attempts[1].gpus[0].peak_memory == 9000);
  CHECK_FALSE(attempts[0].element.has_value());
  CHECK(attempts[2].element == 3);
  CHECK(attempts[2].gpus.empty());
}

TEST_CASE("jobs that passed the gate are queried, in every attempt") {
  monitor::RunFacts facts;
  const auto entry = [](monitor::EntryKind kind, std::uint32_t id) {
    monitor::Entry made;
    made.kind = kind;
    made.job = {id};
    return made;
  };
  facts.ledger = {entry(monitor::EntryKind::claim, 71), entry(monitor::EntryKind::start, 71),
                  entry(monitor::EntryKind::retry, 0), entry(monitor::EntryKind::claim, 80)};
  CHECK(jobs_of(facts) == std::vector<slurm::JobId>{{71}, {80}});
}

}  // namespace rv::cli
