#include "slurm/job_history.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace rv;
using namespace rv::slurm;
using rv::planner::FinishedJob;
using rv::planner::TimePoint;

namespace {

TimePoint at(std::int64_t seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

FinishedJob job(std::int64_t end, const std::string& user = "ann") {
  return {.user = user,
          .account = "lab",
          .partition = "gpu-with-a-long-name",
          .qos = "normal",
          .state = "COMPLETED",
          .submitted = at(end - 30),
          .eligible = at(end - 20),
          .start = at(end - 10),
          .end = at(end),
          .limit = std::chrono::hours(1),
          .nodes = 2,
          .cpus = 8,
          .memory = {64'000},
          .gpu_type = "a100",
          .gpus = 4,
          .name_key = 77};
}

std::vector<std::int64_t> ends(const JobHistory& history) {
  std::vector<std::int64_t> list;
  for (const auto& one : history.jobs) list.push_back(one.end.time_since_epoch().count());
  return list;
}

JobHistory three() {
  JobHistory history;
  extend(history, at(1000), at(2000), {job(1100), job(1900), job(1500)}, "ann");
  return history;
}

}  // namespace

TEST_CASE("jobs are stored by their end, with the covered time") {
  const auto history = three();
  CHECK(ends(history) == std::vector<std::int64_t>{1100, 1500, 1900});
  CHECK(history.from == at(1000));
  CHECK(history.to == at(2000));
}

TEST_CASE("a repeated reading replaces the earlier one, and no job counts twice") {
  auto history = three();
  extend(history, at(1800), at(2500), {job(1850), job(1900), job(2400)}, "ann");
  CHECK(ends(history) == std::vector<std::int64_t>{1100, 1500, 1850, 1900, 2400});
  CHECK(history.to == at(2500));
  extend(history, at(0), at(1000), {job(900)}, "ann");
  CHECK(ends(history).front() == 900);
  CHECK(history.from == at(0));
}

TEST_CASE("a time without jobs is known to be without jobs; a history of nothing covers nothing") {
  JobHistory history;
  CHECK(history.empty());
  extend(history, at(1000), at(2000), {}, "ann");
  CHECK(!history.empty());
  CHECK(history.jobs.empty());
}

TEST_CASE("a history of the user's own jobs proves nothing about others") {
  auto history = three();
  CHECK(!history.shows_others);
  extend(history, at(2000), at(3000), {job(2500, "ben")}, "ann");
  CHECK(history.shows_others);
  extend(history, at(3000), at(4000), {}, "ann");
  CHECK(history.shows_others);
}

TEST_CASE("trimmed by age and by number, and the covered time with it") {
  auto history = three();
  trim(history, 10, at(1200));
  CHECK(ends(history) == std::vector<std::int64_t>{1500, 1900});
  CHECK(history.from == at(1200));
  trim(history, 1, at(0));
  CHECK(ends(history) == std::vector<std::int64_t>{1900});
  CHECK(history.from == at(1900));
  trim(history, 0, at(0));
  CHECK(history.jobs.empty());
  CHECK(history.from == history.to);
}

TEST_CASE("a history comes back from its bytes as it was") {
  auto history = three();
  history.jobs[1].user = "an user with | and \n";
  history.jobs[1].gpu_type = "";
  history.shows_others = true;
  const auto again = from_bytes(to_bytes(history));
  REQUIRE(again);
  CHECK(again->from == history.from);
  CHECK(again->to == history.to);
  CHECK(again->shows_others);
  REQUIRE(again->jobs.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& one = again->jobs[i];
    const auto& other = history.jobs[i];
    CHECK(one.user == other.user);
    CHECK(one.account == other.account);
    CHECK(one.partition == other.partition);
    CHECK(one.qos == other.qos);
    CHECK(one.state == other.state);
    CHECK(one.gpu_type == other.gpu_type);
    CHECK(one.submitted == other.submitted);
    CHECK(one.eligible == other.eligible);
    CHECK(one.start == other.start);
    CHECK(one.end == other.end);
    CHECK(one.limit == other.limit);
    CHECK(one.nodes == other.nodes);
    CHECK(one.cpus == other.cpus);
    CHECK(one.memory == other.memory);
    CHECK(one.gpus == other.gpus);
  }
  CHECK(to_bytes(*again) == to_bytes(history));
}

TEST_CASE("incomplete bytes are not a history") {
  const auto bytes = to_bytes(three());
  CHECK(!from_bytes(""));
  CHECK(!from_bytes("something else altogether, and long enough to hold a head"));
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(!from_bytes(std::string_view(bytes).substr(0, size)));
  CHECK(!from_bytes(bytes + "x"));
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    auto garbled = bytes;
    garbled[place] = static_cast<char>(garbled[place] ^ 0x10);
    CHECK(!from_bytes(garbled));
  }
}
