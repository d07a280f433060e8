#include "monitor/ledger/ledger_folder.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

namespace {

Entry claim_by(int candidate) {
  Entry entry;
  entry.kind = EntryKind::claim;
  entry.candidate = candidate;
  entry.job = JobId{static_cast<unsigned>(100 + candidate)};
  return entry;
}

Entry note(int writer, int count) {
  Entry entry;
  entry.kind = EntryKind::postpone;
  entry.candidate = writer;
  entry.restart = count;
  return entry;
}

// As a job does: claims as long as the rules say so. True when it has won.
bool claim_as(const std::string& folder, int candidate) {
  std::vector<Entry> known;
  const JobIdentity self{.attempt = 1, .candidate = candidate, .job = claim_by(candidate).job};
  while (at_gate(standing_of(known, {}), self, {}) == Verdict::claim) {
    if (append_entry(folder, known, claim_by(candidate))) return true;
  }
  return false;
}

// All that a writer has to say, whoever is faster at each number.
void write_all(const std::string& folder, int writer, int entries) {
  std::vector<Entry> known;
  for (int i = 0; i < entries; ++i) {
    while (!append_entry(folder, known, note(writer, i))) continue;
  }
}

void check_whole(const std::string& folder, int writers, int entries) {
  const auto all = read_ledger(folder);
  REQUIRE(all.size() == static_cast<std::size_t>(writers * entries));
  std::set<std::pair<int, int>> said;
  std::vector<int> next(static_cast<std::size_t>(writers) + 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].number == static_cast<int>(i) + 1);
    CHECK(said.insert({all[i].candidate, all[i].restart}).second);
    CHECK(all[i].restart == next[static_cast<std::size_t>(all[i].candidate)]++);  // in its writer's order
  }
  CHECK(os::names_in(folder).size() == all.size());  // and nothing left over
}

}  // namespace

TEST_CASE("threads that append at once: no gaps, and every entry once") {
  const TemporaryFolder folder;
  constexpr int writers = 8, entries = 12;
  std::vector<std::thread> threads;
  for (int writer = 1; writer <= writers; ++writer) {
    threads.emplace_back([&, writer] { write_all(folder.path(), writer, entries); });
  }
  for (auto& thread : threads) thread.join();
  check_whole(folder.path(), writers, entries);
}

TEST_CASE("processes that append at once: the same, and readers beside them see a beginning of it at any moment") {
  const TemporaryFolder folder;
  constexpr int writers = 4, entries = 15;
  std::vector<pid_t> children;
  for (int writer = 1; writer <= writers; ++writer) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        write_all(folder.path(), writer, entries);
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  std::vector<Entry> seen;
  while (seen.size() < static_cast<std::size_t>(writers * entries)) {
    const auto before = seen.size();
    read_ledger(folder.path(), seen);
    REQUIRE(seen.size() >= before);
    for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i].number == static_cast<int>(i) + 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  check_whole(folder.path(), writers, entries);
}

TEST_CASE("of many simultaneous claims exactly one wins, and all others see it") {
  for (int round = 0; round < 20; ++round) {
    const TemporaryFolder folder;
    std::atomic<int> winners = 0, winner = 0;
    std::vector<std::thread> threads;
    for (int candidate = 1; candidate <= 8; ++candidate) {
      threads.emplace_back([&, candidate] {
        if (!claim_as(folder.path(), candidate)) return;
        ++winners;
        winner = candidate;
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(winners == 1);
    const auto all = read_ledger(folder.path());
    REQUIRE(all.size() == 1);
    CHECK(all[0].candidate == winner);
  }
}

TEST_CASE("a number that is free only in an old view is not written, and the view is refreshed") {
  const TemporaryFolder folder;
  std::vector<Entry> ahead, behind;
  REQUIRE(append_entry(folder.path(), ahead, claim_by(1)));
  REQUIRE(append_entry(folder.path(), ahead, note(1, 1)));
  CHECK(!append_entry(folder.path(), behind, claim_by(2)));
  CHECK(behind.size() == 2);
  CHECK(behind[0].candidate == 1);
  CHECK(read_ledger(folder.path()).size() == 2);
}

TEST_CASE("a link that was made and reported as failed is known by its token") {
  const TemporaryFolder folder;
  auto mine = claim_by(1);
  mine.token = "me";
  os::write_file(folder.path() + "/1", to_line(mine));
  std::vector<Entry> known;
  CHECK(append_entry(folder.path(), known, mine));
  CHECK(known.size() == 1);
  // The same entry by somebody else is not one's own.
  auto other = mine;
  other.token = "you";
  known.clear();
  CHECK(!append_entry(folder.path(), known, other));
}

TEST_CASE("after a lost race for a number all newer entries are read") {
  const TemporaryFolder folder;
  write_all(folder.path(), 1, 5);
  std::vector<Entry> known;
  auto mine = claim_by(3);
  CHECK(!append_entry(folder.path(), known, mine));
  CHECK(known.size() == 5);
  CHECK(append_entry(folder.path(), known, mine));
  CHECK(known.size() == 6);
}

TEST_CASE("temporary files of a crash and foreign names are not entries") {
  const TemporaryFolder folder;
  std::vector<Entry> known;
  REQUIRE(append_entry(folder.path(), known, claim_by(1)));
  for (const char* name : {".77.n1.5.99", ".exit.77.n1.5.99", "notes", "1.2", "2~", "-3"}) {
    os::write_file(folder.path() + "/" + name, "torn");
  }
  CHECK(read_ledger(folder.path()).size() == 1);
  CHECK(append_entry(folder.path(), known, note(1, 0)));
  CHECK(read_ledger(folder.path()).size() == 2);
}

TEST_CASE("entries after a gap are not read: no decision can depend on them") {
  const TemporaryFolder folder;
  std::vector<Entry> known;
  REQUIRE(append_entry(folder.path(), known, claim_by(1)));
  os::write_file(folder.path() + "/3", to_line(note(1, 0)));
  CHECK(read_ledger(folder.path()).size() == 1);
}

TEST_CASE("an entry that can't be understood is an error, never passed over") {
  const TemporaryFolder folder;
  std::vector<Entry> known;
  for (const char* text : {"", "claim 1 1 10 0 - - n 5 t n", "begun 1 1 10 0 - - n 5 t n\n"}) {
    os::write_file(folder.path() + "/1", text);
    CHECK_THROWS_AS(read_ledger(folder.path()), rv::Error);
    CHECK_THROWS_AS(append_entry(folder.path(), known, claim_by(1)), rv::Error);
    CHECK(known.empty());
  }
}

TEST_CASE("without a folder there are no entries, and writing fails") {
  const TemporaryFolder folder;
  const auto absent = folder.path() + "/absent";
  CHECK(read_ledger(absent).empty());
  std::vector<Entry> known;
  CHECK_THROWS_AS(append_entry(absent, known, claim_by(1)), rv::Error);
}

TEST_CASE("elements share one folder, each with separate numbers") {
  const TemporaryFolder folder;
  ElementLedgers ledgers;
  os::write_file(folder.path() + "/4.1", to_line(note(1, 0)));
  os::write_file(folder.path() + "/4.3", to_line(note(1, 2)));
  os::write_file(folder.path() + "/12.1", to_line(note(1, 0)));
  os::write_file(folder.path() + "/4x.1", "foreign");
  read_element_ledgers(folder.path(), ledgers);
  CHECK(ledgers.size() == 2);
  CHECK(ledgers[4].size() == 1);
  os::write_file(folder.path() + "/4.2", to_line(note(1, 1)));
  read_element_ledgers(folder.path(), ledgers);
  CHECK(ledgers[4].size() == 3);
  CHECK(ledgers[4].back().number == 3);
  CHECK(ledgers[12].size() == 1);
}
