#include "planner/strategies/fan_out.h"

#include <doctest/doctest.h>

#include "planner/replay/model/replay_model.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using Numbers = std::vector<std::size_t>;

namespace {

Strategy drawn(std::vector<std::int32_t> trials, double cost) {
  Strategy strategy;
  strategy.wait.p50 = std::chrono::seconds(trials[trials.size() / 2]);
  strategy.wait.trials = std::move(trials);
  strategy.cost_su = cost;
  return strategy;
}

}  // namespace

TEST_CASE("a candidate that starts in other futures is worth more than one like the first") {
  const std::vector<Strategy> all{drawn({0, 0, 300, never}, 10), drawn({0, 0, 300, never}, 10),
                                  drawn({never, never, never, 60}, 10)};
  CHECK(fan_out(all, 1) == Numbers{0});
  CHECK(fan_out(all, 2) == Numbers{0, 2});
  CHECK(fan_out(all, 3) == Numbers{0, 2, 1});
}

TEST_CASE("of two equally useful candidates the one with the cheaper lien is chosen") {
  const std::vector<Strategy> all{drawn({0, 0, never}, 10), drawn({never, 70, 60}, 100), drawn({never, 70, 60}, 20)};
  CHECK(fan_out(all, 2) == Numbers{0, 2});
}

TEST_CASE("without replays the plan's order is used") {
  const std::vector<Strategy> all(4);
  CHECK(fan_out(all, 2) == Numbers{0, 1});
  CHECK(fan_out(all, 9) == Numbers{0, 1, 2, 3});
  CHECK(fan_out({}, 3).empty());
}
