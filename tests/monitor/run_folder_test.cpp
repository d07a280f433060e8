#include "monitor/run_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <set>
#include <thread>

#include "monitor/atomic_file.h"
#include "monitor/run_facts.h"
#include "planner/error.h"
#include "temporary_folder.h"

using namespace rv::monitor;
using rv::slurm::JobId;
using rv::slurm::TimePoint;

namespace {

RunRecord record_for(const RunFolder& folder) {
  RunRecord record;
  record.id = folder.id();
  record.name = "a name\nwith \"everything\" \xff";
  record.command = {"python3", "", "a b"};
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
  record.chain = rv::monitor::ChainRecord{.total = std::chrono::hours(12), .shortest = std::chrono::hours(1)};
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
  CHECK(list_runs(home.path()).empty());  // not published yet
  auto record = record_for(folder);
  folder.publish(record);
  CHECK(list_runs(home.path()) == std::vector<std::string>{folder.id()});
  const auto read = folder.record();
  CHECK(read.command == record.command);
  CHECK(read.created == record.created);
  CHECK(read.created_ns == record.created_ns);
  CHECK(read.candidates.at(0).summary == record.candidates.at(0).summary);
  CHECK(read.candidates.at(0).free_now);
  CHECK(!read.candidates.at(0).cost_su);
  CHECK(read.chain->total == std::chrono::hours(12));
  CHECK(read.chain->shortest == std::chrono::hours(1));
  CHECK(read.candidates.at(0).time_limit == std::chrono::seconds(1800));
}

TEST_CASE("a folder without a record is no run") {
  const TemporaryFolder home;
  CHECK_THROWS_AS((void)RunFolder(home.path() + "/nothing").record(), rv::Error);
  const auto folder = RunFolder::create(home.path());
  write_file(folder.file("run.json"), "{ half");
  CHECK_THROWS_AS((void)folder.record(), rv::Error);
}

TEST_CASE("the claim goes to exactly one, jobs and stop alike") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  CHECK(!folder.claim());
  CHECK(folder.claim_for_stop("login1"));
  CHECK(folder.claim_for_stop("login2"));  // stopping twice is still stopped
  REQUIRE(folder.claim());
  CHECK(folder.claim()->by_stop);
  CHECK(folder.claim()->node == "login1");

  const auto other = RunFolder::create(home.path());
  write_file(other.file("claim"), "2 77 udc-an28-1 1700000000\n");  // as the start gate writes it
  CHECK(!other.claim_for_stop("login1"));
  REQUIRE(other.claim());
  CHECK(other.claim()->candidate == 2);
  CHECK(other.claim()->job == JobId{77});
  CHECK(other.claim()->time == TimePoint(std::chrono::seconds(1'700'000'000)));
}

TEST_CASE("the exit record says code, job and whether a TERM came first") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  CHECK(!folder.exit_record());
  write_file(folder.file("exit"), "3 1700000100 77 exited\n");
  REQUIRE(folder.exit_record());
  CHECK(folder.exit_record()->code == 3);
  CHECK(folder.exit_record()->kind == ExitKind::exited);
  write_file(folder.file("exit"), "143 1700000100 77 terminated\n");
  CHECK(folder.exit_record()->kind == ExitKind::terminated);
}

TEST_CASE("events of clients and jobs come together in order of time") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  folder.append({.time = TimePoint(std::chrono::seconds(30)), .name = "late", .candidate = 0, .job = {}, .more = {}});
  write_file(folder.file("jobs/77.jsonl"),
             "{\"time\":20,\"event\":\"claimed\",\"candidate\":2,\"job_id\":77,\"node\":\"n1\"}\ntorn line {\n");
  folder.append(
      {.time = TimePoint(std::chrono::seconds(10)), .name = "early", .candidate = 1, .job = JobId{5}, .more = {}});
  const auto events = folder.events();
  REQUIRE(events.size() == 3);
  CHECK(events[0].name == "early");
  CHECK(events[0].job == JobId{5});
  CHECK(events[1].name == "claimed");
  CHECK(events[1].more.at("node") == "n1");
  CHECK(events[2].name == "late");
}

TEST_CASE("many writers lose no event") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  std::vector<std::thread> writers;
  for (int w = 0; w < 8; ++w) {
    writers.emplace_back([&folder, w] {
      for (int i = 0; i < 50; ++i) {
        folder.append({.time = {}, .name = "e", .candidate = w, .job = {}, .more = {{"i", i}}});
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
  write_outcome(
      folder,
      {.state = RunState::failed, .exit_code = 3, .detail = "exit code 3", .time = TimePoint(std::chrono::seconds(5))});
  const auto facts = read_facts(folder);
  REQUIRE(facts.outcome);
  CHECK(facts.outcome->state == RunState::failed);
  CHECK(facts.outcome->exit_code == 3);
}
