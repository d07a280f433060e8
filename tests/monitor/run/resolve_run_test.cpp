#include "monitor/run/resolve_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

using namespace rv;

using namespace std::chrono_literals;
using rv::monitor::ListedRun;
using rv::monitor::RunFolder;
using rv::monitor::RunRecord;
using rv::slurm::TimePoint;

namespace {

constexpr TimePoint noon{std::chrono::seconds(1'795'262'400)};

RunRecord record_of(const std::string& id, const std::string& name, std::chrono::nanoseconds past_noon) {
  RunRecord record;
  record.id = id;
  record.name = name;
  record.created = noon + std::chrono::floor<std::chrono::seconds>(past_noon);
  record.created_ns = past_noon - std::chrono::floor<std::chrono::seconds>(past_noon);
  return record;
}

ListedRun listed(const RunFolder& folder, const RunRecord& record, bool over) {
  return {.folder = folder,
          .name = record.name,
          .created = record.created,
          .created_ns = record.created_ns,
          .over = over,
          .record = std::make_shared<const RunRecord>(record)};
}

ListedRun created_at(const std::string& id, std::chrono::nanoseconds past_noon) {
  return listed(RunFolder("/runs/" + id), record_of(id, "", past_noon), false);
}

/// The later the line, the newer the run.
std::vector<monitor::ListedRun> runs_of(const std::vector<std::tuple<std::string, std::string, bool>>& lines) {
  std::vector<monitor::ListedRun> runs;
  for (const auto& [id, name, over] : lines) {
    const auto record = record_of(id, name, std::chrono::seconds(runs.size()));
    runs.push_back(listed(RunFolder("/runs/" + id), record, over));
  }
  std::reverse(runs.begin(), runs.end());
  return runs;
}

std::string read(const std::vector<monitor::ListedRun>& runs, const std::string& word) {
  return monitor::resolve_run(runs, word).record.id;
}
std::string certain(const std::vector<monitor::ListedRun>& runs, const std::string& word) {
  return monitor::resolve_certain_run(runs, word).record.id;
}

template <typename Resolve>
std::string refusal(const Resolve& resolve, const std::vector<monitor::ListedRun>& runs, const std::string& word) {
  try {
    return "taken for " + resolve(runs, word);
  } catch (const rv::Error& error) {
    CHECK(error.code() == rv::ExitCode::no_such_run);
    return error.what();
  }
}

}  // namespace

TEST_CASE("a Slurm job ID resolves to its run, after names and before prefixes") {
  const TemporaryFolder home;
  auto runs = runs_of(
      {{"aaaaaa", "old", true}, {"47119x", "other", false}, {"bbbbbb", "train", false}, {"cccccc", "29", true}});
  const auto submit = [&](std::size_t run, int job) {
    const auto& id = runs[run].record->id;
    runs[run].folder = RunFolder((home / id).string());
    home.write(id + "/events.jsonl",
               R"({"time":1,"event":"submitted","candidate":1,"job_id":)" + std::to_string(job) + "}\n");
  };
  submit(3, 4711);
  submit(1, 4711);
  submit(0, 12);
  CHECK(read(runs, "4711") == "bbbbbb");    // Slurm has used the ID again
  CHECK(read(runs, "4711_3") == "bbbbbb");  // an element of an array
  CHECK(certain(runs, "4711") == "bbbbbb");
  CHECK(read(runs, "12") == "cccccc");
  CHECK(read(runs, "29") == "cccccc");     // a name comes first
  CHECK(read(runs, "47119") == "47119x");  // the beginning of an ID
  CHECK_THROWS_AS(read(runs, "13"), Error);
}

TEST_CASE("an exact ID goes before everything, an exact name before the beginning of an ID") {
  const auto runs = runs_of({{"aaaaaa", "ux", false}, {"ux7ype", "train", false}, {"bbbbbb", "ux7ype", false}});
  for (const auto& resolve : {read, certain}) {
    CHECK(resolve(runs, "ux") == "aaaaaa");
    CHECK(resolve(runs, "ux7ype") == "ux7ype");
    CHECK(resolve(runs, "ux7") == "ux7ype");
    CHECK(resolve(runs, "train") == "ux7ype");
  }
  // even where only a finished run has the name
  const auto over = runs_of({{"aaaaaa", "ux", true}, {"ux7ype", "train", false}});
  CHECK(read(over, "ux") == "aaaaaa");
  CHECK(certain(over, "ux") == "aaaaaa");
}

TEST_CASE("the beginning of an ID means a run that is not over, for looking also one that is") {
  const auto runs = runs_of({{"ux7ype", "a", false}, {"ux8aaa", "b", true}, {"k3f9x2", "c", true}});
  CHECK(read(runs, "ux") == "ux7ype");
  CHECK(certain(runs, "ux") == "ux7ype");
  CHECK(read(runs, "k3") == "k3f9x2");
  const auto refused = refusal(certain, runs, "k3");
  CHECK(refused.find("no active run") != std::string::npos);
  CHECK(refused.find("k3f9x2 (c, over)") != std::string::npos);
  CHECK(certain(runs, "k3f9x2") == "k3f9x2");
}

TEST_CASE("with several live runs a stop is ambiguous, and a view shows the newest") {
  const auto runs = runs_of({{"aaaaaa", "twin", false}, {"bbbbbb", "twin", false}, {"cccccc", "twin", true}});
  CHECK(read(runs, "twin") == "bbbbbb");
  const auto refused = refusal(certain, runs, "twin");
  CHECK(refused == "\"twin\" could be any of 2 runs: bbbbbb (twin), aaaaaa (twin)");
  const auto beginnings = runs_of({{"ux7ype", "a", false}, {"ux8aaa", "b", false}});
  for (const auto& resolve : {read, certain}) {
    CHECK(refusal(resolve, beginnings, "ux") == "\"ux\" could be any of 2 runs: ux8aaa (b), ux7ype (a)");
  }
}

TEST_CASE("a finished namesake never makes a name ambiguous") {
  const auto runs = runs_of({{"aaaaaa", "train", false}, {"bbbbbb", "train", true}, {"cccccc", "train", true}});
  CHECK(read(runs, "train") == "aaaaaa");
  CHECK(certain(runs, "train") == "aaaaaa");
  const auto over = runs_of({{"aaaaaa", "train", true}, {"bbbbbb", "train", true}});
  CHECK(read(over, "train") == "bbbbbb");
  CHECK(refusal(certain, over, "train").find("2 runs") != std::string::npos);
}

TEST_CASE("an empty argument and an unknown one are rejected") {
  const auto runs = runs_of({{"ux7ype", "train", false}});
  for (const auto& resolve : {read, certain}) {
    CHECK(refusal(resolve, runs, "") == "a run's ID can't be empty");
    CHECK(refusal(resolve, runs, "trian") == "no run has the ID or name \"trian\"; did you mean \"train\"?");
  }
  CHECK_THROWS_AS(monitor::refuse_empty(""), rv::Error);
  CHECK_NOTHROW(monitor::refuse_empty("x"));
}

TEST_CASE("runs of one second are ordered by the moment, then by ID") {
  CHECK(monitor::is_newer(created_at("aaaaaa", 2ns), created_at("bbbbbb", 1ns)));
  CHECK(!monitor::is_newer(created_at("aaaaaa", 1ns), created_at("bbbbbb", 2ns)));
  CHECK(monitor::is_newer(created_at("aaaaaa", 1s), created_at("bbbbbb", 999'999'999ns)));
  CHECK(monitor::is_newer(created_at("aaaaaa", 1ns), created_at("bbbbbb", 1ns)));
  CHECK(!monitor::is_newer(created_at("bbbbbb", 1ns), created_at("aaaaaa", 1ns)));
  CHECK(!monitor::is_newer(created_at("aaaaaa", 1ns), created_at("aaaaaa", 1ns)));

  char home[] = "/tmp/rv-known-XXXXXX";
  REQUIRE(::mkdtemp(home) != nullptr);
  const std::string runs = home + std::string("/runs");
  std::vector<std::string> expected;
  for (int i = 0; i < 20; ++i) {
    const auto folder = RunFolder::create(runs);
    folder.publish(record_of(folder.id(), "same", std::chrono::microseconds(i)));
    expected.insert(expected.begin(), folder.id());
  }
  const auto known = monitor::runs_in(runs);
  std::vector<std::string> seen;
  for (const auto& run : known) seen.push_back(run.id());
  CHECK(seen == expected);
  CHECK(monitor::latest_run(known).record.id == expected.front());
  std::filesystem::remove_all(home);
}
