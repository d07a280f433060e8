#include "planner/cluster/records/tres.h"

#include <doctest/doctest.h>

using rv::planner::amount;
using rv::planner::gpu_count;
using rv::planner::Tres;

TEST_CASE("absent is not zero") {
  const Tres tres{{"cpu", 0}};
  CHECK(amount(tres, "cpu") == 0);
  CHECK_FALSE(amount(tres, "mem").has_value());
}

TEST_CASE("GPUs are the untyped entry, else the sum of the typed ones") {
  CHECK(gpu_count({{"gres/gpu", 4}, {"gres/gpu:a100", 4}}) == 4);
  CHECK(gpu_count({{"gres/gpu:a100", 2}, {"gres/gpu:v100", 1}, {"gres/gpumem", 9}, {"gres/nic", 5}}) == 3);
  CHECK(gpu_count({{"cpu", 4}}) == 0);
}
