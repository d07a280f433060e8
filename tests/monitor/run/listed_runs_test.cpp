#include "monitor/run/listed_runs.h"

#include <doctest/doctest.h>
#include <utime.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"
#include "tests/base/temporary_folder.h"

namespace {

using namespace rv::monitor;
using namespace std::chrono_literals;

struct Home {
  TemporaryFolder folder;
  std::string runs = (folder / "runs").string();
  std::string index = (folder / "cache/ended-runs-1.tsv").string();

  RunFolder add(const std::string& name, std::optional<std::chrono::seconds> ended_before = std::nullopt) const {
    auto run = RunFolder::create(runs);
    RunRecord record;
    record.id = run.id();
    record.name = name;
    record.work_folder = "/home/me/" + name;
    run.publish(record);
    run.append({.time = {}, .name = EventKind::submitted, .candidate = 1, .job = rv::slurm::JobId{4711}, .more = {}});
    if (!ended_before) return run;
    REQUIRE(write_outcome(run, {}, {.state = RunState::done, .exit_code = 0, .detail = "", .time = TimePoint(5s)}));
    const std::time_t then = std::time(nullptr) - ended_before->count();
    const utimbuf times{then, then};
    REQUIRE(::utime(run.ledger().c_str(), &times) == 0);
    return run;
  }
};

std::vector<std::string> names(const std::vector<ListedRun>& runs) {
  std::vector<std::string> found;
  found.reserve(runs.size());
  for (const auto& run : runs) found.push_back(run.name);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("a run that ended a while ago is listed from the index") {
  const Home home;
  const auto old = home.add("old", 11min);
  const auto recent = home.add("recent", 1min);
  const auto open = home.add("open");
  CHECK(names(runs_in(home.runs)) == std::vector<std::string>{"old", "open", "recent"});

  std::filesystem::rename(old.file("run.json"), old.file("away"));
  const auto runs = runs_in(home.runs);
  CHECK(names(runs) == std::vector<std::string>{"old", "open", "recent"});
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return run.id() == old.id(); });
  CHECK(found->over);
  CHECK(found->work_folder() == "/home/me/old");
  CHECK(end_time(*found) == TimePoint(5s));
  CHECK_THROWS_AS(read_run(*found), rv::Error);
  CHECK(read_runs(runs).size() == 2);
  CHECK_THROWS_AS(resolve_run(runs, "old"), rv::Error);
  std::filesystem::rename(old.file("away"), old.file("run.json"));
  CHECK(resolve_run(runs, "old").record.id == old.id());
  CHECK(resolve_run(runs, "4711").record.id == open.id());  // of several, the one that is not over

  REQUIRE(open_runs(runs).size() == 1);
  CHECK(open_runs(runs).front().record.name == "open");
  REQUIRE(recently_ended(runs).size() == 1);
  CHECK(recently_ended(runs).front().record.name == "recent");
}

TEST_CASE("a run in the index is found by its Slurm job") {
  const Home home;
  const auto old = home.add("old", 11min);
  home.add("new");
  runs_in(home.runs);
  std::filesystem::remove(old.file("events.jsonl"));
  const auto runs = runs_in(home.runs);
  const auto only_old = std::vector<ListedRun>{runs.at(0).name == "old" ? runs.at(0) : runs.at(1)};
  CHECK(resolve_run(only_old, "4711").record.id == old.id());
}

TEST_CASE("the index forgets a run whose folder is gone, and may itself be damaged or gone") {
  const Home home;
  const auto old = home.add("old", 1h);
  const auto other = home.add("other", 1h);
  runs_in(home.runs);
  std::filesystem::remove_all(old.path());
  CHECK(names(runs_in(home.runs)) == std::vector<std::string>{"other"});
  const auto text = rv::os::read_file(home.index).value_or("");
  CHECK(text.find(other.id()) != std::string::npos);
  CHECK(text.find(old.id()) == std::string::npos);

  for (const auto& damage : {text.substr(0, text.size() / 2), std::string("{}\n\n") + text, std::string()}) {
    rv::os::write_file(home.index, damage);
    CHECK(names(runs_in(home.runs)) == std::vector<std::string>{"other"});
    CHECK(rv::os::read_file(home.index).value_or("").find(text) != std::string::npos);
  }
  std::filesystem::remove(home.index);
  std::filesystem::create_directory(home.index);  // can't be written
  CHECK(names(runs_in(home.runs)) == std::vector<std::string>{"other"});
}

TEST_CASE("folders that can't be read are counted, folders of other programs are not") {
  const Home home;
  home.add("open");
  const auto damaged = home.add("damaged");
  rv::os::write_file(damaged.file("run.json"), "{");
  std::filesystem::create_directory(home.runs + "/notes");
  const auto list = list_runs(home.runs);
  CHECK(list.unreadable == 1);
  CHECK(names(list.runs) == std::vector<std::string>{"open"});
}

TEST_CASE("an entry of the index is read as it was written") {
  const EndedRun run{.id = "k3f9x2",
                     .name = "a \"b\" c",
                     .created = TimePoint(7s),
                     .created_ns = 9ns,
                     .ended = TimePoint(8s),
                     .work_folder = "/w",
                     .environment = "/e",
                     .jobs = {{12}, {13}},
                     .bytes = 5,
                     .has_report = true};
  const auto line = to_line(run);
  CHECK(std::count(line.begin(), line.end(), '\n') == 1);
  const auto read = parse_ended_run(line.substr(0, line.size() - 1));
  REQUIRE(read);
  CHECK(to_line(*read) == line);
  CHECK(read->name == run.name);
  CHECK(read->jobs == run.jobs);
  CHECK(read->has_report);
  const std::string whole = "k3f9x2\t7\t9\t8\t12,13\t5\tname\t/w\t/e\treport";
  CHECK(parse_ended_run(whole));
  for (std::size_t end = 0; end < whole.size(); ++end) CHECK(!parse_ended_run(whole.substr(0, end)));
  CHECK(parse_ended_run("k3f9x2\t7\t9\t8\t\t\t\t\t\t-"));
  for (const auto* damaged : {"k3f9x2\t\t9\t8\t12\t5\tname\t/w\t\t-", "k3f9x2\t7\t9\t8\t1x\t5\tname\t/w\t\t-",
                              "k3f9x2\t7\t9\t8\t12\t5\tname\t/w\t\t-\tmore"}) {
    CHECK(!parse_ended_run(damaged));
  }
  for (const auto* name : {"two\nlines", "a\ttab"}) {
    auto odd = run;
    odd.name = name;
    CHECK(to_line(odd).empty());
  }
}
