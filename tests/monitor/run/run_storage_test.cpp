#include "monitor/run/run_storage.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include <ctime>
#include <filesystem>

#include "base/os/atomic_file.h"
#include "monitor/run/run_facts.h"
#include "monitor/run/submit_lock.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

RunFolder run_in(const std::string& runs, std::optional<RunState> outcome) {
  const auto folder = RunFolder::create(runs);
  RunRecord record;
  record.id = folder.id();
  record.name = "x";
  folder.publish(record);
  if (outcome) {
    REQUIRE(write_outcome(folder, {}, {.state = *outcome, .exit_code = {}, .detail = "", .time = TimePoint(5s)}));
  }
  return folder;
}

void age(const std::string& path, std::chrono::seconds by) {
  const std::time_t then = std::time(nullptr) - by.count();
  const utimbuf times{then, then};
  REQUIRE(::utime(path.c_str(), &times) == 0);
}

bool there(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

}  // namespace

TEST_CASE("a run that is over goes, one that is not comes back to its place") {
  const TemporaryFolder home;
  const auto done = run_in(home.path(), RunState::done);
  const auto alive = run_in(home.path(), std::nullopt);
  CHECK(remove_run(home.path(), done.id()));
  CHECK(!there(done.path()));
  CHECK(!remove_run(home.path(), alive.id()));
  CHECK(there(alive.file("run.json")));
  CHECK(std::distance(std::filesystem::directory_iterator(home.path()), {}) == 1);  // nothing hidden is left
}

TEST_CASE("a run that another one has named meanwhile comes back whole") {
  const TemporaryFolder home;
  const auto done = run_in(home.path(), RunState::done);
  bool was_there = true;
  CHECK(!remove_run(home.path(), done.id(), [&] {
    was_there = there(done.path());
    return true;
  }));
  CHECK(!was_there);  // asked when nobody can find the folder any more
  CHECK(there(done.file("run.json")));
  CHECK(remove_run(home.path(), done.id(), [] { return false; }));
  CHECK(!there(done.path()));
}

TEST_CASE("a run whose submit lock is held is not changed") {
  const TemporaryFolder home;
  const auto run = run_in(home.path(), RunState::done);
  {
    const auto lock = SubmitLock::try_take(run);
    REQUIRE(lock);
    CHECK(!remove_run(home.path(), run.id()));
  }
  CHECK(remove_run(home.path(), run.id()));
}

TEST_CASE("of a file with two names each counts a half") {
  const TemporaryFolder home;
  os::make_folder(home.path() + "/a");
  os::write_file(home.path() + "/a/data", std::string(400'000, 'x'));
  os::make_folder(home.path() + "/b");
  REQUIRE(::link((home.path() + "/a/data").c_str(), (home.path() + "/b/data").c_str()) == 0);
  CHECK(bytes_below(home.path() + "/a") < 300'000);
  CHECK(bytes_below(home.path()) >= 400'000);
  CHECK(bytes_below(home.path()) < 600'000);
}

TEST_CASE("links in a run are removed, not followed, and read-only folders go too") {
  const TemporaryFolder home;
  const TemporaryFolder elsewhere;
  os::write_file(elsewhere.path() + "/precious", std::string(400'000, 'x'));
  const auto run = run_in(home.path(), RunState::failed);
  REQUIRE(::symlink(elsewhere.path().c_str(), run.file("output/link").c_str()) == 0);
  os::write_file(run.file("output/data"), std::string(50'000, 'x'));
  os::make_folder(run.file("output/sub"));
  os::write_file(run.file("output/sub/data"), "x");
  REQUIRE(::chmod(run.file("output/sub").c_str(), 0500) == 0);
  CHECK(bytes_below(run.path()) >= 50'000);
  CHECK(bytes_below(run.path()) < 200'000);
  CHECK(remove_run(home.path(), run.id()));
  CHECK(!there(run.path()));
  CHECK(there(elsewhere.path() + "/precious"));
}

TEST_CASE("only a folder with its own readable record name is a run folder") {
  const TemporaryFolder home;
  const auto run = run_in(home.path(), RunState::done);
  CHECK(is_run_folder(home.path(), run.id()));
  os::make_folder(home.path() + "/abcdef");
  CHECK(!is_run_folder(home.path(), "abcdef"));
  os::write_file(home.path() + "/abcdef/run.json", *os::read_file(run.file("run.json")));  // another's record
  CHECK(!is_run_folder(home.path(), "abcdef"));
  REQUIRE(::symlink(run.path().c_str(), (home.path() + "/ghjkmn").c_str()) == 0);
  CHECK(!is_run_folder(home.path(), "ghjkmn"));
  CHECK(!is_run_folder(home.path(), ".."));
}

TEST_CASE("leftovers of killed clients are removed after a day without changes") {
  const TemporaryFolder home;
  const std::string runs = home.path() + "/runs";
  const auto run = run_in(runs, std::nullopt);
  const auto half = RunFolder::create(runs);         // never published
  const auto with_output = RunFolder::create(runs);  // no record, but somebody's data
  os::write_file(with_output.file("output/data"), "x");
  os::make_folder(runs + "/.removed." + run.id() + ".77");
  os::make_folder(runs + "/notes");
  os::write_file(run.file("run.json.tmp.4711"), "x");
  os::write_file(run.file("run.json.tmp.login-1.site.edu.4711.0123456789abcdef"), "x");
  os::write_file(run.file("model.tmp.final"), "x");
  const auto ended = run_in(runs, RunState::done);
  os::write_file(run.file("ledger/.exit.7.n1"), "x");  // the room for the end of a run that may be at work
  os::write_file(ended.file("ledger/.exit.7.n1"), "x");
  os::write_file(run.file("plan.json.tmp.4712"), "young");
  for (const auto& path :
       {run.file("run.json.tmp.4711"), run.file("run.json.tmp.login-1.site.edu.4711.0123456789abcdef"),
        run.file("model.tmp.final"), run.file("ledger/.exit.7.n1"), ended.file("ledger/.exit.7.n1"), half.path(),
        with_output.path(), runs + "/notes"}) {
    age(path, 48h);
  }
  auto found = leftovers(home.path(), 24h);
  std::sort(found.begin(), found.end());
  std::vector<std::string> expected = {
      run.file("run.json.tmp.4711"), run.file("run.json.tmp.login-1.site.edu.4711.0123456789abcdef"),
      ended.file("ledger/.exit.7.n1"), half.path(), runs + "/.removed." + run.id() + ".77"};
  std::sort(expected.begin(), expected.end());
  CHECK(found == expected);
  CHECK(remove_leftovers(found) == 5);
  CHECK(leftovers(home.path(), 24h).empty());
  CHECK(there(run.file("run.json")));
  CHECK(there(with_output.file("output/data")));
}
