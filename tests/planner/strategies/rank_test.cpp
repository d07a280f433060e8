#include "planner/strategies/rank.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

Strategy a_strategy(const std::string& name) {
  Strategy strategy;
  strategy.gpu.name = name;
  strategy.partitions = {"p"};
  strategy.cost_su = 10;
  return strategy;
}

std::string order(std::vector<Strategy> strategies) {
  rank(strategies);
  std::string text;
  for (const Strategy& one : strategies) text += one.gpu.name;
  std::reverse(strategies.begin(), strategies.end());
  rank(strategies);
  std::string again;
  for (const Strategy& one : strategies) again += one.gpu.name;
  CHECK(text == again);
  return text;
}

}  // namespace

TEST_CASE("with equal end and cost a preferred partition comes first, before fewer nodes") {
  const Goal goal{.preferred_partitions = {"q", "r"}};
  const auto first = [&](std::vector<Strategy> strategies) {
    rank(strategies, goal);
    return strategies.front().gpu.name;
  };
  Strategy plain = a_strategy("a");
  Strategy preferred = a_strategy("b");
  preferred.nodes = 2;
  preferred.partitions = {"p", "r"};
  CHECK(first({plain, preferred}) == "b");
  preferred.cost_su = 11;
  CHECK(first({plain, preferred}) == "a");
  preferred.cost_su = 10;
  preferred.partitions = {"p"};
  CHECK(first({plain, preferred}) == "a");
}

TEST_CASE("free now comes before everything, unknown waits last") {
  Strategy now = a_strategy("c");
  now.wait.p50 = 0s;
  now.cost_su = 100;
  Strategy later = a_strategy("b");
  later.wait.p50 = 1h;
  CHECK(order({a_strategy("a"), later, now}) == "cba");
}

TEST_CASE("then cost, unknown last") {
  Strategy dear = a_strategy("a");
  dear.cost_su = 11;
  Strategy unknown = a_strategy("b");
  unknown.cost_su.reset();
  CHECK(order({unknown, dear, a_strategy("c")}) == "cab");
}

TEST_CASE("the last tie-breaker is the request, never the previous order") {
  const auto settled = [](auto change) {
    std::vector<Strategy> both{a_strategy("a"), a_strategy("a")};
    change(both[1]);
    std::vector<Strategy> turned{both[1], both[0]};
    rank(both);
    rank(turned);
    const auto same = [](const Strategy& a, const Strategy& b) {
      return a.gres_type == b.gres_type && a.constraint == b.constraint && a.account == b.account && a.qos == b.qos &&
             a.exclude == b.exclude && a.time_limit == b.time_limit && a.partitions == b.partitions;
    };
    return same(both[0], turned[0]);
  };
  CHECK(settled([](Strategy& one) { one.partitions = {"q"}; }));
  CHECK(settled([](Strategy& one) { one.gres_type = "x"; }));
  CHECK(settled([](Strategy& one) { one.constraint = "x"; }));
  CHECK(settled([](Strategy& one) { one.account = "x"; }));
  CHECK(settled([](Strategy& one) { one.qos = "x"; }));
  CHECK(settled([](Strategy& one) { one.exclude = {"x"}; }));
  CHECK(settled([](Strategy& one) { one.time_limit = 1h; }));
}

TEST_CASE("then fewer nodes, the smaller GPU, the name, the kind") {
  Strategy split = a_strategy("a");
  split.nodes = 2;
  Strategy big = a_strategy("c");
  big.gpu.vram = test::gb(80);
  Strategy small = a_strategy("b");
  small.gpu.vram = test::gb(40);
  CHECK(order({split, small, a_strategy("d"), big}) == "bcda");
  Strategy newer = a_strategy("c");
  newer.gpu.vram = test::gb(48);
  newer.gpu.capability = 8.9;
  Strategy older = newer;
  older.gpu.name = "d";
  older.gpu.capability = 8.6;
  Strategy unsupported = a_strategy("a");
  unsupported.gpu.vram = test::gb(8);
  unsupported.gpu.capability = 6.1;
  CHECK(order({unsupported, newer, older}) == "dca");
  CHECK(order({a_strategy("b"), a_strategy("a")}) == "ab");
  Strategy checkpoint = a_strategy("x");
  checkpoint.kind = Kind::checkpoint;
  std::vector<Strategy> both{checkpoint, a_strategy("x")};
  rank(both);
  CHECK(both[0].kind == Kind::plain);
}

TEST_CASE("how many models are as good as the first") {
  Strategy first = a_strategy("a");
  first.wait.p50 = 0s;
  Strategy other = first;
  other.gpu.name = "b";
  Strategy same_model = first;
  same_model.partitions = {"q"};
  CHECK(models_as_good({first}) == 1);
  CHECK(models_as_good({first, same_model}) == 1);
  CHECK(models_as_good({first, same_model, other}) == 2);
  Strategy dearer = other;
  dearer.cost_su = 11;
  Strategy later = other;
  later.wait.p50 = 1h;
  Strategy split = other;
  split.nodes = 2;
  for (const Strategy& worse : {dearer, later, split}) CHECK(models_as_good({first, worse}) == 1);
  // Where no wait is known, none is equal.
  CHECK(models_as_good({a_strategy("a"), a_strategy("b")}) == 1);
}
