#include "slurm/parse/parse_queue.h"

#include <algorithm>

#include "planner/cluster/job_name.h"
#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

namespace {

const rv::planner::QueuedJob& job_of(const std::vector<rv::planner::QueuedJob>& jobs, const std::string& id) {
  const auto found = std::find_if(jobs.begin(), jobs.end(), [&](const auto& job) { return job.id == id; });
  REQUIRE_MESSAGE(found != jobs.end(), id);
  return *found;
}

std::string row_of(const std::string& id) {
  std::string row;
  for (const char* field : {id.c_str(),
                            "PENDING",
                            "gpu,gpu-a100",
                            "1000",
                            "ann",
                            "lab",
                            "normal",
                            "2",
                            "16",
                            "4000Mc",
                            "cpu=16,gres/gpu=8,gres/gpu:a100=8",
                            "gres:gpu:a100:4",
                            "3-00:00:00",
                            "1795233184",
                            "1795233184",
                            "N/A",
                            "",
                            "n[1-2]",
                            "",
                            "a100_80gb|a6000",
                            "(null)",
                            "(null)",
                            "OK",
                            "N/A",
                            "Priority",
                            ""}) {
    row += std::string(field) + '\x1f';
  }
  return row;
}

}  // namespace

TEST_CASE("array elements of one record") {
  CHECK(count_array_tasks("123") == 1);
  CHECK(count_array_tasks("123_4") == 1);
  CHECK(count_array_tasks("123_[5-9]") == 5);
  CHECK(count_array_tasks("123_[1,3,5-9:2%2]") == 5);
  CHECK(count_array_tasks("123_[") == 1);
}

TEST_CASE("a queue row has its columns by the unit separator") {
  const std::string row = row_of("123_[5-9%1]");
  const auto jobs = parse_queue(row + "\nbroken row\n");
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].array_tasks == 5);
  CHECK(jobs[0].partitions == std::vector<std::string>{"gpu", "gpu-a100"});
  CHECK(jobs[0].requested.at("gres/gpu:a100") == 8);
  CHECK(jobs[0].gres_per_node == "gres:gpu:a100:4");
  CHECK(jobs[0].features == "a100_80gb|a6000");
  CHECK(jobs[0].min_memory_is_per_cpu);
  CHECK(jobs[0].time_limit == std::chrono::hours(72));
  CHECK(!jobs[0].start);
  CHECK(jobs[0].scheduled_nodes.size() == 2);
  CHECK(!jobs[0].part_of_het_job);
  CHECK(jobs[0].reason == "Priority");
}

TEST_CASE("names: at the row's end, with any byte in them") {
  const auto jobs = parse_queue(row_of("1") + "train-1\x1e\n" + row_of("2") + "train-2\x1e\n" + row_of("3") +
                                "two\nlines\x1e\n" + row_of("4") + "\x1e\n");
  REQUIRE(jobs.size() == 4);
  CHECK(jobs[0].name_key != 0);
  CHECK(jobs[0].name_key == jobs[1].name_key);
  CHECK(jobs[2].id == "3");
  CHECK(jobs[2].name_key == rv::planner::name_key("two\nlines"));
  CHECK(jobs[3].name_key == 0);
  CHECK(queue_format().ends_with(std::string(",Name:") + '\x1e'));
}

TEST_CASE("a recorded queue: arrays unsplit, het components, limits, features, memory per CPU") {
  const auto jobs = parse_queue(recording("22.05.8-more/queue.out"));
  REQUIRE(jobs.size() == 9);
  const auto& array = job_of(jobs, "2_[7-50%2]");
  CHECK(array.array_tasks == 44);
  CHECK(array.reason == "JobArrayTaskLimit");
  CHECK(array.requested.at("mem") == 500);
  CHECK(!array.start);
  CHECK(!array.eligible);
  const auto& dependent = job_of(jobs, "15");
  CHECK(dependent.features == "a6000|big");
  CHECK(dependent.dependency == "afterok:3(unfulfilled)");
  CHECK(dependent.time_limit == std::chrono::hours(36));
  CHECK(dependent.min_memory->count == 700);
  CHECK(dependent.min_memory_is_per_cpu);
  CHECK(dependent.cpus == 2);
  CHECK(job_of(jobs, "5+1").part_of_het_job);
  CHECK(!dependent.part_of_het_job);
  const auto& exclusive = job_of(jobs, "3");
  CHECK(exclusive.exclusive);
  CHECK(!exclusive.min_memory_is_per_cpu);
  CHECK(exclusive.gres_per_node == "gres:gpu:a6000:1");
  CHECK(exclusive.requested.at("gres/gpu:a6000") == 1);
  CHECK(!dependent.exclusive);
  const auto& running = job_of(jobs, "2_5");
  CHECK(running.state == "RUNNING");
  CHECK(running.node_names == std::vector<std::string>{"node-1"});
  CHECK(running.start == rv::planner::TimePoint(std::chrono::seconds(1795241998)));
}

TEST_CASE("whole nodes: two releases' words, and a release that leaves the column out") {
  const auto exclusive = [](std::string oversubscribe, const char* last) {
    std::string row = "7";
    for (int column = 1; column < 22; ++column) row += '\x1f';
    row += '\x1f' + std::move(oversubscribe) + "\x1fN/A\x1fNone\x1f";
    return parse_queue(row + last + "\n").at(0).exclusive;
  };
  CHECK(exclusive("NO", "\x1f"));
  CHECK(!exclusive("OK", "\x1f"));
  CHECK(exclusive("NO", ""));
  CHECK(!exclusive("NO", "NO\x1f"));
  CHECK(exclusive("NO", "YES\x1f"));
  CHECK(!exclusive("NO", "USER\x1f"));
}
