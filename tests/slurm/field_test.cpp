#include "slurm/field.h"

#include <doctest/doctest.h>

#include "slurm/gres_text.h"
#include "slurm/hostlist.h"
#include "slurm/key_value.h"
#include "slurm/parse_queue.h"

using namespace rv::slurm;
using namespace std::chrono_literals;
using rv::planner::Mebibytes;

TEST_CASE("spans of time") {
  CHECK(parse_span("3-00:00:00") == 72h);
  CHECK(parse_span("2:00:00") == 2h);
  CHECK(parse_span("10:00") == 10min);
  CHECK(parse_span("30") == 30min);
  CHECK(parse_span("1-12") == 36h);
  CHECK(!parse_span("UNLIMITED"));
  CHECK(!parse_span("Partition_Limit"));
  CHECK(!parse_span("INVALID"));
  CHECK(!parse_span(""));
}

TEST_CASE("memory with units, per CPU and per node") {
  CHECK(parse_memory_field("512000") == Mebibytes{512000});
  CHECK(parse_memory_field("104G") == Mebibytes{104 * 1024});
  CHECK(parse_memory_field("1000Mc") == Mebibytes{1000});
  CHECK(parse_memory_field("1.50T") == Mebibytes{1536 * 1024});
  CHECK(parse_memory_field("0") == Mebibytes{0});
  CHECK(!parse_memory_field("N/A"));
}

TEST_CASE("times") {
  CHECK(parse_time("1795233184") == rv::planner::TimePoint(std::chrono::seconds(1795233184)));
  CHECK(!parse_time("Unknown"));
  CHECK(!parse_time("N/A"));
  CHECK(!parse_time("0"));
  CHECK(parse_time("2026-11-21T03:54:34"));
  CHECK(!parse_time("2026-11-21T03:54:34x"));
}

TEST_CASE("GPUs of a node") {
  auto pools = parse_gpu_pools("gpu:a100:8(S:0-1)", "gpu:a100:3(IDX:0,2-3)");
  REQUIRE(pools.size() == 1);
  CHECK(pools[0].type == "a100");
  CHECK(pools[0].total == 8);
  CHECK(pools[0].used == 3);
  pools = parse_gpu_pools("gpu:a100:2(S:0),gpu:1g.10gb:14,nvme:1,gpu:a100:2(S:1)",
                          "gpu:a100:1(IDX:0),gpu:1g.10gb:0(IDX:N/A)");
  REQUIRE(pools.size() == 2);
  CHECK(pools[0].total == 4);
  CHECK(pools[1].type == "1g.10gb");
  CHECK(pools[1].used == 0);
  CHECK(parse_gpu_pools("gpu:4", "gpu:1(IDX:0)")[0].type.empty());
  CHECK(parse_gpu_pools("(null)", "gpu:0").empty());
  CHECK(parse_gpu_pools("", "").empty());
}

TEST_CASE("TRES lists") {
  const auto tres = parse_tres("cpu=2,mem=104G,node=1,billing=2,gres/gpu=8,gres/gpu:a100=8");
  CHECK(tres.at("mem") == 104 * 1024);
  CHECK(tres.at("gres/gpu:a100") == 8);
  CHECK(parse_tres("").empty());
  CHECK(parse_tres("N/A").empty());
}

TEST_CASE("host lists") {
  CHECK(expand_hostlist("a[1-3,7],b") == std::vector<std::string>{"a1", "a2", "a3", "a7", "b"});
  CHECK(expand_hostlist("n[08-11]") == std::vector<std::string>{"n08", "n09", "n10", "n11"});
  CHECK(expand_hostlist("r[1-2]n[1-2]") == std::vector<std::string>{"r1n1", "r1n2", "r2n1", "r2n2"});
  CHECK(expand_hostlist("n[1-") == std::vector<std::string>{"n[1-"});
  CHECK(expand_hostlist("n[3-1]") == std::vector<std::string>{"n[3-1]"});
  CHECK(expand_hostlist("(null)").empty());
  CHECK(expand_hostlist("").empty());
}

TEST_CASE("key=value lines keep blanks in values and believe the first of two") {
  const KeyValues values("NodeName=n1 OS=Linux 6.1 #1 SMP State=IDLE Gres=(null) Reason=bad fan State=DOWN [root@x]");
  CHECK(values["OS"] == "Linux 6.1 #1 SMP");
  CHECK(values["State"] == "IDLE");
  CHECK(values["Reason"] == "bad fan");
  CHECK(values["Nothing"].empty());
}

TEST_CASE("array elements of one record") {
  CHECK(count_array_tasks("123") == 1);
  CHECK(count_array_tasks("123_4") == 1);
  CHECK(count_array_tasks("123_[5-9]") == 5);
  CHECK(count_array_tasks("123_[1,3,5-9:2%2]") == 5);
  CHECK(count_array_tasks("123_[") == 1);
}
