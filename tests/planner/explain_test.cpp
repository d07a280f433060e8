#include "planner/explain.h"

#include <doctest/doctest.h>

#include "planner/make_plan.h"
#include "queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

TEST_CASE("the first is explained by its start") {
  Request request = test::ask(4, 4h);
  request.types = {"a100_80"};
  const auto inputs = test::last_in_line();
  const Plan plan = make_plan(test::afton(), test::afton_catalogue(), request, inputs);
  const auto reasons = reasons_for_order(plan, inputs.goal);
  REQUIRE(reasons.size() == 1);
  CHECK(reasons[0].find("ranks first: it starts") != std::string::npos);
}

TEST_CASE("of types with the same wait the smallest is first, and its reason says so") {
  Plan plan = make_plan(test::afton(), test::afton_catalogue(), test::ask(4), {});
  plan.as_good = 2;
  plan.strategies.front().wait.p50 = 0s;
  plan.strategies.front().wait.basis = free_now_basis;
  plan.strategies.front().cost_su.reset();
  const auto tied = reasons_for_order(plan, {}).front();
  CHECK(tied.ends_with("and has the smallest GPU of the types with this wait"));
  plan.as_good = 1;
  CHECK(reasons_for_order(plan, {}).front().find("no other strategy finishes sooner") != std::string::npos);
}

TEST_CASE("the cheapest is explained by its price, other models follow with the difference") {
  ForecastInputs inputs;
  inputs.goal.aim = Aim::cheapest;
  const Cluster cluster = test::afton();
  const Request request = test::ask(4);
  const Plan plan = make_plan(cluster, test::afton_catalogue(), request, inputs);
  const auto reasons = reasons_for_order(plan, inputs.goal);
  REQUIRE(reasons.size() == 4);
  CHECK(reasons[0] == "4× v100 on gpu-v100 ranks first: it has the lowest cost, 42 SU; its nodes are free now");
  CHECK(reasons[1] == "4× a6000 on gpu-a6000 starts now, 244 SU more");
}
