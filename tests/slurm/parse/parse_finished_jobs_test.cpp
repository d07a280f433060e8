#include "slurm/parse/parse_finished_jobs.h"

#include <algorithm>

#include "planner/cluster/job_name.h"
#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;
using rv::planner::TimePoint;

namespace {

constexpr TimePoint always_from{};
constexpr TimePoint always_to{std::chrono::seconds(4'000'000'000)};

TimePoint at(std::int64_t seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

FinishedJobs parse(std::string_view text) {
  return parse_finished_jobs(text, always_from, always_to);
}

}  // namespace

TEST_CASE("a finished job is read whole") {
  const auto finished = parse(
      "77|ann|lab|gpu-a100|normal|COMPLETED|1000|1001|1060|4660|3-00:00:00|"
      "billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=104G,node=2\n");
  REQUIRE(finished.jobs.size() == 1);
  const auto& job = finished.jobs[0];
  CHECK(job.user == planner::DatabaseName("ann"));
  CHECK(job.account == planner::DatabaseName("lab"));
  CHECK(job.partition == "gpu-a100");
  CHECK(job.qos == planner::DatabaseName("normal"));
  CHECK(job.state == "COMPLETED");
  CHECK(job.submitted == at(1000));
  CHECK(job.eligible == at(1001));
  CHECK(job.start == at(1060));
  CHECK(job.end == at(4660));
  CHECK(job.limit == std::chrono::hours(72));
  CHECK(job.nodes == 2);
  CHECK(job.cpus == 8);
  CHECK(job.memory.count == 104 * 1024);
  CHECK(job.gpu_type == "a100");
  CHECK(job.gpus == 4);
}

TEST_CASE("a name counts without its digits, with any byte in it, and may be missing") {
  const std::string rest = "|a|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1|";
  const auto finished = parse("1" + rest + "train-1\n2" + rest + "train-22\n3" + rest + "a|b|1|2\n4" + rest +
                              "one\nline\n5" + rest + "\n6|a|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1\n");
  REQUIRE(finished.jobs.size() == 6);
  CHECK(finished.jobs[0].name_key != 0);
  CHECK(finished.jobs[0].name_key == finished.jobs[1].name_key);
  CHECK(finished.jobs[2].name_key != finished.jobs[0].name_key);
  CHECK(finished.jobs[3].name_key == rv::planner::name_key("one"));
  CHECK(finished.jobs[4].name_key == 0);
  CHECK(finished.jobs[5].name_key == 0);
  CHECK(finished.unreadable == 1);  // the name's second line
}

TEST_CASE("states are read with a canceller or a truncated word") {
  const auto finished = parse(
      "1|a|l|p|q|CANCELLED by 1001|10|10|20|30|01:00:00|cpu=1\n"
      "2|a|l|p|q|TIMEOUT+|10|10|20|30|01:00:00|cpu=1\n"
      "3|a|l|p|q|NEW_STATE|10|10|20|30|01:00:00|cpu=1\n");
  REQUIRE(finished.jobs.size() == 3);
  CHECK(finished.jobs[0].state == "CANCELLED");
  CHECK(finished.jobs[1].state == "TIMEOUT");
  CHECK(finished.jobs[2].state == "NEW_STATE");
}

TEST_CASE("limits that are none") {
  const auto finished = parse(
      "1|a|l|p|q|COMPLETED|10|10|20|30|UNLIMITED|cpu=1\n2|a|l|p|q|COMPLETED|10|10|20|30|Partition_Limit|cpu=1\n"
      "3|a|l|p|q|COMPLETED|10|10|20|30||cpu=1\n4|a|l|p|q|COMPLETED|10|10|20|30|00:00:30|cpu=1\n");
  REQUIRE(finished.jobs.size() == 4);
  for (int i = 0; i < 3; ++i) CHECK(finished.jobs[static_cast<std::size_t>(i)].limit.count() == 0);
  CHECK(finished.jobs[3].limit.count() == 30);
}

TEST_CASE("a row that is not a finished run is only counted") {
  const auto finished = parse(
      "1|a|l|p|q|PENDING|10|10|Unknown|Unknown|01:00:00|\n"
      "2|a|l|p|q|RUNNING|10|10|20|Unknown|01:00:00|cpu=1\n"
      "3|a|l|p|q|CANCELLED by 0|10|10|None|30|01:00:00|\n"
      "4|a|l|p|q|CANCELLED by 0|10|10|30|30|01:00:00|\n"
      "5|a|l|p|q|COMPLETED|10|10|50|30|01:00:00|cpu=1\n"
      "\n"
      "sacct: a word of a wrapper\n"
      "6_[1-3]|a|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1\n"
      "7|a|l|p|q||10|10|20|30|01:00:00|cpu=1\n"
      "8|a|b|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1\n");
  CHECK(finished.jobs.empty());
  CHECK(finished.not_over == 2);
  CHECK(finished.never_started == 2);
  CHECK(finished.unreadable == 5);
}

TEST_CASE("a job counts in the window it ended in") {
  const std::string_view text = "1|a|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1\n";
  CHECK(parse_finished_jobs(text, at(0), at(30)).jobs.empty());
  CHECK(parse_finished_jobs(text, at(30), at(60)).jobs.size() == 1);
  CHECK(parse_finished_jobs(text, at(31), at(60)).jobs.empty());
}

TEST_CASE("times that can't be are put right: eligible and submitted never behind the start") {
  const auto finished =
      parse("1|a|l|p|q|COMPLETED|25|Unknown|20|30|01:00:00|cpu=1\n2|a|l|p|q|COMPLETED|10|99|20|30|01:00:00|cpu=1\n");
  REQUIRE(finished.jobs.size() == 2);
  CHECK(finished.jobs[0].submitted == at(20));
  CHECK(finished.jobs[0].eligible == at(20));
  CHECK(finished.jobs[1].eligible == at(20));
}

TEST_CASE("untyped and several GPU types; none at all") {
  const auto finished = parse(
      "1|a|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1,gres/gpu=2\n"
      "2|a|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1,gres/gpu:a40=1,gres/gpu:v100=3,gres/gpu=4\n"
      "3|a|l|p|q|COMPLETED|10|10|20|30|01:00:00|cpu=1,node=1\n");
  REQUIRE(finished.jobs.size() == 3);
  CHECK(finished.jobs[0].gpu_type.empty());
  CHECK(finished.jobs[0].gpus == 2);
  CHECK(finished.jobs[1].gpu_type == "v100");
  CHECK(finished.jobs[1].gpus == 4);
  CHECK(finished.jobs[2].gpus == 0);
}

TEST_CASE("recorded accounting: arrays, a het job, two partitions, hostile names, cancelled, timed out") {
  const auto finished = parse(recording("22.05.8-more/finished_jobs.out"));
  CHECK(finished.unreadable == 0);
  CHECK(finished.not_over == 0);
  REQUIRE(finished.jobs.size() == 10);
  const auto by_state = [&](std::string_view state) {
    return std::count_if(finished.jobs.begin(), finished.jobs.end(),
                         [&](const auto& job) { return job.state == state; });
  };
  CHECK(by_state("COMPLETED") == 7);
  CHECK(by_state("FAILED") == 1);
  CHECK(by_state("CANCELLED") == 1);
  CHECK(by_state("TIMEOUT") == 1);
  // Asked for in two partitions with an untyped gres: where it ran and what it got.
  const auto& either = finished.jobs[7];
  CHECK(either.state == "CANCELLED");
  CHECK(either.partition == "gpu-a40");
  CHECK(either.gpu_type == "a40");
  CHECK(either.gpus == 2);
  // The third task of an array of one at a time: eligible when the second had ended.
  const auto& task = finished.jobs[4];
  CHECK(task.eligible == task.start);
  CHECK(task.eligible - task.submitted == std::chrono::seconds(46));
}

TEST_CASE("slurmdbd's placeholder for an unknown job name is not a name") {
  const std::string row = "77|ann|lab|gpu-a100|normal|COMPLETED|1000|1001|1060|4660|3-00:00:00|cpu=8,node=1|";
  CHECK(parse(row + "allocation\n").jobs.at(0).name_key == 0);
  CHECK(parse(row + "allocation-2\n").jobs.at(0).name_key != 0);
}
