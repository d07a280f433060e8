#include "planner/cost.h"

#include <doctest/doctest.h>

using namespace rv::planner;
using namespace std::chrono_literals;

TEST_CASE("cost is GPUs by hours by rate by factor") {
  Strategy strategy;
  strategy.nodes = 2;
  strategy.gpus_per_node = 2;
  strategy.work_time = 90min;
  strategy.gpu.su_per_gpu_hour = 10;
  CHECK(*cost_su(strategy, 2.0) == doctest::Approx(120));
  strategy.kind = Kind::checkpoint;
  strategy.time_limit = 30min;
  strategy.segments = 3;
  CHECK(*cost_su(strategy, 2.0) == doctest::Approx(120));
}

TEST_CASE("no rate is unknown, a rate of zero is known") {
  Strategy strategy;
  strategy.work_time = 1h;
  CHECK_FALSE(cost_su(strategy, 1.0).has_value());
  strategy.gpu.su_per_gpu_hour = 0;
  CHECK(cost_su(strategy, 1.0) == 0.0);
}
