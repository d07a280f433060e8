#include "reports/accept/order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"

namespace rv::accept {
namespace {

std::set<std::string> names(const Order& order) {
  std::set<std::string> all;
  for (const auto& step : steps_of(order)) all.insert(step.name);
  return all;
}

Order all_of(int nodes, int gpus) {
  return {.nodes = nodes, .gpus_per_node = gpus, .full = false, .device = "auto", .suites = all_suites()};
}

TEST_CASE("steps for two GPUs or two nodes are left out if there is one") {
  CHECK(names(all_of(1, 1)) == std::set<std::string>{"health-before", "compute", "compute-link", "memory", "train",
                                                     "resnet18", "resnet50", "transformer", "io", "health-after"});
  CHECK(names(all_of(1, 4)).contains("collective"));
  CHECK_FALSE(names(all_of(1, 4)).contains("collective-all-nodes"));
  CHECK(names(all_of(2, 1)).contains("collective-all-nodes"));
  CHECK_FALSE(names(all_of(2, 1)).contains("collective"));
}

TEST_CASE("health comes first and last, every step has a limit, and only steps of all nodes meet") {
  const auto steps = steps_of(all_of(2, 4));
  CHECK(steps.front().name == "health-before");
  CHECK(steps.back().name == "health-after");
  for (const auto& step : steps) {
    CHECK(step.limit_s > 0);
    CHECK(step.together == step.name.ends_with("-all-nodes"));
  }
}

TEST_CASE("a full order also runs the GPUs in turn and under sustained load, and is not quick") {
  auto order = all_of(1, 4);
  for (const auto& step : steps_of(order)) {
    const bool quick = std::find(step.arguments.begin(), step.arguments.end(), "--quick") != step.arguments.end();
    CHECK(quick == (step.suite != Suite::health));
  }
  order.full = true;
  CHECK(names(order).contains("compute-in-turn"));
  CHECK(names(order).contains("compute-sustained"));
  for (const auto& step : steps_of(order)) {
    CHECK(std::find(step.arguments.begin(), step.arguments.end(), "--quick") == step.arguments.end());
  }
}

TEST_CASE("a model runs on every node's ranks, and over all of them where nodes can meet") {
  auto order = all_of(2, 4);
  order.suites = {Suite::resnet50, Suite::transformer};
  CHECK(names(order) ==
        std::set<std::string>{"resnet50", "resnet50-all-nodes", "transformer", "transformer-all-nodes"});
  const auto steps = steps_of(order);
  CHECK(steps[0].ranks == 4);
  CHECK(steps[1].ranks == 8);
  const std::vector<std::string> words{"--model", "resnet50", "--batch-size", "64"};
  CHECK(std::search(steps[0].arguments.begin(), steps[0].arguments.end(), words.begin(), words.end()) !=
        steps[0].arguments.end());
  CHECK(uses_nccl(steps[0]));
  for (const auto& step : steps) CHECK(step.arguments.back() == "--scaling");

  // One rank is timed alone where there are no others to meet, also because the fabric that is asked for does not
  // reach.
  order.gpus_per_node = 1;
  CHECK(names(order) == std::set<std::string>{"resnet50-all-nodes", "transformer-all-nodes"});
  order.fabric = Fabric::nvlink;
  CHECK(names(order) == std::set<std::string>{"resnet50", "transformer"});
  CHECK_FALSE(uses_nccl(steps_of(order).front()));

  // The processor takes the worker's own small sizes.
  order.device = "cpu";
  for (const auto& step : steps_of(order)) {
    CHECK(std::find(step.arguments.begin(), step.arguments.end(), "--batch-size") == step.arguments.end());
  }
}

TEST_CASE("an order is read back as it was written") {
  auto order = all_of(3, 8);
  order.full = true;
  order.suites = {Suite::memory, Suite::ddp, Suite::transformer};
  const auto back = order_from_json(to_json(order));
  CHECK(to_json(back) == to_json(order));
  CHECK_THROWS_AS(order_from_json({{"nodes", 1}}), Error);
}

TEST_CASE("a preflight reads first, and one ring goes over all GPUs of all nodes") {
  Order order{
      .nodes = 2, .gpus_per_node = 4, .device = "cuda", .suites = {Suite::health, Suite::compute, Suite::collective}};
  order.within_s = 16;
  const auto steps = steps_of(order);
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].name == "health-before");
  CHECK(steps[1].name == "collective-all-nodes");
  CHECK(steps[1].ranks == 8);
  CHECK(steps[2].name == "compute");
  CHECK(steps[3].name == "compute-link");
  for (const auto& step : steps) CHECK(step.limit_s == 16);
  CHECK(order_from_json(to_json(order)).within_s == 16);
  order.nodes = order.gpus_per_node = 1;
  CHECK(steps_of(order).size() == 3);
}

}  // namespace
}  // namespace rv::accept
