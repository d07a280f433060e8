#include "monitor/run/run_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <set>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "monitor/run/run_facts.h"
#include "monitor/run/run_storage.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;
using rv::slurm::JobId;
using rv::slurm::TimePoint;

namespace {

RunRecord record_for(const RunFolder& folder) {
  RunRecord record;
  record.id = folder.id();
  record.name = "a name\nwith \"everything\" \xff";
  record.job.typed = {"python3", "", "a b"};
  record.work_folder = "/home/u/project";
  record.host = "login1";
  record.created = TimePoint(std::chrono::seconds(1'700'000'000));
  record.created_ns = std::chrono::nanoseconds(999'999'999);
  record.head_start_s = 0.5;
  record.candidates = {{.number = 1,
                        .job_name = "x@" + folder.id() + ".1",
                        .summary = "4× A40 on gpu-a40",
                        .gpu_type = "a40",
                        .gpus = 4,
                        .nodes = 1,
                        .partition = "gpu-a40",
                        .free_now = true,
                        .time_limit = std::chrono::seconds(1800),
                        .cost_su = std::nullopt,
                        .su_per_hour = 2.5,
                        .exclude = {"bad1"},
                        .wait = {}}};
  record.job.chain = templates::Chain{.total = std::chrono::hours(12), .shortest = std::chrono::hours(1)};
  return record;
}

}  // namespace

TEST_CASE("a run folder is private and its ID unused") {
  const TemporaryFolder home;
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) {
    const auto folder = RunFolder::create(home.path() + "/runs");
    ids.insert(folder.id());
    struct stat status = {};
    REQUIRE(::stat(folder.path().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0700U);
  }
  CHECK(ids.size() == 50);
}

TEST_CASE("a record is read back as it was written") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  CHECK(!is_run_folder(home.path(), folder.id()));  // not published yet
  auto record = record_for(folder);
  folder.publish(record);
  CHECK(is_run_folder(home.path(), folder.id()));
  const auto read = folder.record();
  CHECK(read.job.typed == record.job.typed);
  CHECK(read.created == record.created);
  CHECK(read.created_ns == record.created_ns);
  CHECK(read.candidates.at(0).summary == record.candidates.at(0).summary);
  CHECK(read.candidates.at(0).free_now);
  CHECK(!read.candidates.at(0).cost_su);
  CHECK(read.job.chain->total == std::chrono::hours(12));
  CHECK(read.job.chain->shortest == std::chrono::hours(1));
  CHECK(read.candidates.at(0).time_limit == std::chrono::seconds(1800));
}

TEST_CASE("a folder without a record is not a run") {
  const TemporaryFolder home;
  CHECK_THROWS_AS((void)RunFolder(home.path() + "/nothing").record(), rv::Error);
  const auto folder = RunFolder::create(home.path());
  os::write_file(folder.file("run.json"), "{ half");
  CHECK_THROWS_AS((void)folder.record(), rv::Error);
}

TEST_CASE("events of clients and jobs come together in order of time") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  os::write_file(folder.file("jobs/77.jsonl"),
                 "{\"time\":20,\"event\":\"claimed\",\"candidate\":2,\"job_id\":77,\"node\":\"n1\"}\ntorn line {\n");
  folder.append({.time = TimePoint(std::chrono::seconds(10)),
                 .name = EventKind::submitted,
                 .candidate = 1,
                 .job = JobId{5},
                 .more = {}});
  folder.append({.time = TimePoint(std::chrono::seconds(30)),
                 .name = EventKind::cancelled,
                 .candidate = 0,
                 .job = {},
                 .more = {}});
  const auto events = folder.events();
  REQUIRE(events.size() == 3);
  CHECK(events[0].name == EventKind::submitted);
  CHECK(events[0].job == JobId{5});
  CHECK(events[1].name == EventKind::claimed);
  CHECK(events[1].more.at("node") == "n1");
  CHECK(events[2].name == EventKind::cancelled);
}

TEST_CASE("one writer's events stay in order, even if its clock jumps") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  for (const int time : {30, 20}) {
    folder.append({.time = TimePoint(std::chrono::seconds(time)),
                   .name = time == 30 ? EventKind::intent : EventKind::submitted,
                   .candidate = 0,
                   .job = {},
                   .more = {}});
  }
  const auto events = folder.events();
  CHECK(events[0].name == EventKind::intent);
  CHECK(events[1].name == EventKind::submitted);
}

TEST_CASE("a line that was cut short takes no other with it") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  os::write_file(folder.file("events.jsonl"), "{\"time\":1,\"event\":\"whole\"}\n{\"time\":2,\"ev");
  folder.append({.time = {}, .name = EventKind::next, .candidate = 0, .job = {}, .more = {}});
  const auto events = folder.events();
  REQUIRE(events.size() == 2);
  CHECK(events[1].name == EventKind::next);
}

TEST_CASE("names of a candidate's jobs, attempt by attempt") {
  Candidate candidate;
  candidate.job_name = "x@k3f9x2.1";
  CHECK(job_name_of(candidate, 1) == "x@k3f9x2.1");
  CHECK(job_name_of(candidate, 2) == "x@k3f9x2.1.2");
  CHECK(is_job_name_of("x@k3f9x2.1", "x@k3f9x2.1"));
  CHECK(is_job_name_of("x@k3f9x2.1.2", "x@k3f9x2.1"));
  for (const auto* other : {"x@k3f9x2.12", "x@k3f9x2.1.", "x@k3f9x2.1.2x", "x@k3f9x2", "yx@k3f9x2.1"}) {
    CHECK(!is_job_name_of(other, "x@k3f9x2.1"));
  }
}

TEST_CASE("many writers lose no event") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  std::vector<std::thread> writers;
  for (int w = 0; w < 8; ++w) {
    writers.emplace_back([&folder, w] {
      for (int i = 0; i < 50; ++i) {
        folder.append({.time = {}, .name = EventKind::found, .candidate = w, .job = {}, .more = {{"i", i}}});
      }
    });
  }
  for (auto& writer : writers) writer.join();
  CHECK(folder.events().size() == 400);
}

TEST_CASE("an outcome is read back") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  folder.publish(record_for(folder));
  CHECK(!is_over(folder));
  REQUIRE(write_outcome(folder, read_facts(folder),
                        {.state = RunState::failed,
                         .exit_code = 3,
                         .detail = "exit code 3",
                         .time = TimePoint(std::chrono::seconds(5))}));
  CHECK(is_over(folder));
  const auto facts = read_facts(folder);
  REQUIRE(facts.outcome);
  CHECK(facts.outcome->state == RunState::failed);
  CHECK(facts.outcome->exit_code == 3);
}

TEST_CASE("a job's name contains its attempt") {
  CHECK(attempt_of_job("x@k3f9x2.1", "x@k3f9x2.1") == 1);
  CHECK(attempt_of_job("x@k3f9x2.1.3", "x@k3f9x2.1") == 3);
  for (const char* other :
       {"x@k3f9x2.12", "x@k3f9x2.1.", "x@k3f9x2.1.0", "x@k3f9x2.1.3x", "x@k3f9x2.1.99999999999", "x"}) {
    CAPTURE(other);
    CHECK(!attempt_of_job(other, "x@k3f9x2.1"));
  }
}
