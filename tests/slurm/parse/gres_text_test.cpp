#include "slurm/parse/gres_text.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::slurm;

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

TEST_CASE("a GPU with shards or MPS in use is not given to a job as a whole") {
  CHECK(parse_gpu_pools("gpu:a100:2,shard:a100:8", "gpu:a100:0(IDX:N/A),shard:a100:1(IDX:0),mps:0").at(0).used == 1);
  CHECK(parse_gpu_pools("gpu:v100:4,mps:v100:200", "gpu:v100:1(IDX:2),mps:v100:2(IDX:0-1)").at(0).used == 3);
  CHECK(parse_gpu_pools("gpu:a100:2,shard:a100:8", "gpu:a100:1(IDX:0),shard:a100:1(IDX:0)").at(0).used == 1);
  CHECK(parse_gpu_pools("gpu:a100:2,shard:a100:8", "gpu:a100:0(IDX:N/A),shard:a100:0(IDX:N/A)").at(0).used == 0);
  CHECK(parse_gpu_pools("gpu:a100:2,shard:a100:8", "gpu:a100:0(IDX:N/A),shard:a100:3(3/4,0/4)").at(0).used == 1);
  CHECK(parse_gpu_pools("gpu:2,shard:8", "gpu:0,shard:8(4/4,4/4)").at(0).used == 2);
  CHECK(parse_gpu_pools("gpu:a100:2", "gpu:a100:0,shard:a100:1(IDX:0-9999999999)").at(0).used == 0);
  CHECK(parse_gpu_pools("shard:8", "shard:1(IDX:0)").empty());
}

TEST_CASE("TRES lists") {
  const auto tres = parse_tres("cpu=2,mem=104G,node=1,billing=2,gres/gpu=8,gres/gpu:a100=8");
  CHECK(tres.at("mem") == 104 * 1024);
  CHECK(tres.at("gres/gpu:a100") == 8);
  CHECK(parse_tres("").empty());
  CHECK(parse_tres("N/A").empty());
}

TEST_CASE("GPUs without a type, as Slurm prints them when they are used") {
  const auto pools = parse_gpu_pools("gpu:4(S:0-1)", "gpu:(null):3(IDX:0-2)");
  REQUIRE(pools.size() == 1);
  CHECK(pools[0].type.empty());
  CHECK(pools[0].total == 4);
  CHECK(pools[0].used == 3);
}

TEST_CASE("a used GPU is used even when its type was not configured") {
  CHECK(parse_gpu_pools("gpu:4", "gpu:a100:3(IDX:0-2)").at(0).used == 3);
  CHECK(parse_gpu_pools("gpu:a100:4", "gpu:2(IDX:0-1)").at(0).used == 2);
}
