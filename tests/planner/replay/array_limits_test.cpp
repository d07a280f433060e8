#include "planner/replay/model/array_limits.h"

#include <doctest/doctest.h>

#include "planner/cluster/cluster.h"

namespace rv::planner {
namespace {

QueuedJob waiting(const std::string& id, const std::string& reason = "Priority") {
  QueuedJob job;
  job.id = id;
  job.state = "PENDING";
  job.reason = reason;
  return job;
}

TEST_CASE("an array with a throttle has a limit, and so have running elements of it") {
  const auto throttled = waiting("12_[3-9%4]");
  const auto plain = waiting("13_[0-9]");
  const auto alone = waiting("14");
  QueuedJob element = waiting("12_1");
  element.state = "RUNNING";
  ReplayModel model;
  const ArrayLimits arrays({&throttled, &plain, &alone, &element}, model);
  REQUIRE(model.arrays.size() == 1);
  CHECK(model.arrays[0].most == 4);
  CHECK(arrays.of(element) == 0);
  CHECK(arrays.of(plain) == -1);
  CHECK(arrays.of(alone) == -1);
}

TEST_CASE("what runs of an array is its throttle where Slurm prints none") {
  const auto last = waiting("12_9", "JobArrayTaskLimit");
  ReplayModel model;
  const ArrayLimits arrays({&last}, model);
  REQUIRE(model.arrays.size() == 1);
  model.arrays[0].running = 3;
  arrays.set_unprinted();
  CHECK(model.arrays[0].most == 3);
}

}  // namespace
}  // namespace rv::planner
