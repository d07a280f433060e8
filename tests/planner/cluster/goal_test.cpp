#include "planner/cluster/goal.h"

#include <doctest/doctest.h>

#include "planner/strategies/rank.h"
#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

Strategy a_strategy(const std::string& name, std::chrono::seconds wait, double cost) {
  Strategy strategy;
  strategy.gpu.name = name;
  strategy.work_time = 1h;
  strategy.wait.p50 = wait;
  strategy.finish = wait + 1h;
  strategy.cost_su = cost;
  return strategy;
}

std::string order(std::vector<Strategy> strategies, const Goal& goal) {
  rank(strategies, goal);
  std::string names;
  for (const Strategy& one : strategies) names += one.gpu.name;
  return names;
}

}  // namespace

TEST_CASE("soonest, cheapest, or an hour at a price") {
  const std::vector<Strategy> all{a_strategy("a", 0s, 100), a_strategy("b", 2h, 40), a_strategy("c", 10h, 10)};
  CHECK(order(all, {Aim::soonest, 0}) == "abc");
  CHECK(order(all, {Aim::cheapest, 0}) == "cba");
  CHECK(order(all, {Aim::mix, 10}) == "bac");  // 110, 70, 120
  CHECK(order(all, {Aim::mix, 100}) == "abc");
}

TEST_CASE("ends within the accuracy of a prediction are equal, and the price decides") {
  CHECK(order({a_strategy("a", 5s, 100), a_strategy("b", 40s, 40)}, {}) == "ba");
  CHECK(order({a_strategy("a", 5s, 100), a_strategy("b", 70s, 40)}, {}) == "ab");
  CHECK(order({a_strategy("a", 4h + 1min, 100), a_strategy("b", 4h + 4min, 40)}, {}) == "ba");
}

TEST_CASE("a cut run is judged by its end, not by its first wait") {
  Strategy cut = a_strategy("a", 0s, 10);
  cut.kind = Kind::checkpoint;
  cut.finish = 3h;
  CHECK(order({cut, a_strategy("b", 1h, 10)}, {}) == "ba");
}
