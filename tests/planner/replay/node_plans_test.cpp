#include "planner/replay/nodes/node_plans.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace rv;
using namespace rv::planner;

namespace {

ReplayModel two_nodes() {
  ReplayModel model;
  model.nodes.resize(2);
  model.reserved_times.resize(2);
  return model;
}

}  // namespace

TEST_CASE("without plans a node is clear at once and stays so") {
  const ReplayModel model = two_nodes();
  const NodePlans plans(model);
  CHECK(plans.clear_from(0, 40, 100, -1) == 40);
  CHECK(plans.window(0, 40, -1, Plans::all) == never);
}

TEST_CASE("a job goes into the first gap that is long enough, on the node that the plans are for") {
  const ReplayModel model = two_nodes();
  NodePlans plans(model);
  plans.add(0, {500, 600});
  plans.add(0, {100, 200});
  plans.add(0, {210, 300});
  CHECK(plans.clear_from(0, 0, 100, -1) == 0);
  CHECK(plans.clear_from(0, 0, 101, -1) == 300);
  CHECK(plans.clear_from(0, 150, 10, -1) == 200);
  CHECK(plans.clear_from(0, 150, 200, -1) == 300);
  CHECK(plans.clear_from(0, 150, 201, -1) == 600);
  CHECK(plans.clear_from(1, 0, 1'000, -1) == 0);
}

TEST_CASE("the window ends at the first plan that counts; a new pass begins without any") {
  const ReplayModel model = two_nodes();
  NodePlans plans(model);
  plans.add(0, {300, 400});
  plans.add(0, {100, 200, true});
  CHECK(plans.window(0, 40, -1, Plans::all) == 60);
  CHECK(plans.window(0, 40, -1, Plans::of_queue) == 260);
  CHECK(plans.window(0, 40, -1, Plans::none) == never);
  CHECK(plans.window(0, 150, -1, Plans::all) == 0);
  plans.forget();
  CHECK(plans.window(0, 40, -1, Plans::all) == never);
  CHECK(plans.clear_from(0, 0, 1'000, -1) == 0);
}

TEST_CASE("reserved times count for all jobs but those of their reservation, behind plans as before them") {
  ReplayModel model = two_nodes();
  model.reserved_times[0] = {{200, 300, 4}};
  NodePlans plans(model);
  plans.add(0, {50, 150});
  plans.add(0, {310, 400});
  CHECK(plans.clear_from(0, 60, 60, -1) == 400);
  CHECK(plans.clear_from(0, 60, 60, 4) == 150);
  CHECK(plans.window(0, 160, -1, Plans::none) == 40);
  CHECK(plans.window(0, 250, -1, Plans::none) == 0);
  CHECK(plans.window(0, 300, -1, Plans::none) == never);
  CHECK(plans.window(0, 160, 4, Plans::all) == 0);
}

TEST_CASE("the result equals a test of every second, for plans in any order") {
  std::mt19937 chance(3);
  const auto below = [&](int bound) { return static_cast<int>(chance() % static_cast<unsigned>(bound)); };
  for (int round = 0; round < 200; ++round) {
    ReplayModel model = two_nodes();
    std::vector<Planned> spans;
    for (int i = below(3); i > 0; --i) {
      const ReplayTime begin = below(150);
      model.reserved_times[0].push_back({begin, begin + 1 + below(20), 0});
      spans.push_back({begin, model.reserved_times[0].back().end});
    }
    NodePlans plans(model);
    for (int i = below(6); i > 0; --i) {
      const ReplayTime begin = below(150);
      spans.push_back({begin, begin + 1 + below(30)});
      plans.add(0, spans.back());
    }
    const ReplayTime length = 1 + below(40);
    ReplayTime expected = below(100);
    const ReplayTime from = expected;
    const auto meets = [&](const Planned& span) { return span.begin < expected + length && span.end > expected; };
    while (std::any_of(spans.begin(), spans.end(), meets)) ++expected;
    CHECK(plans.clear_from(0, from, length, -1) == expected);
  }
}
