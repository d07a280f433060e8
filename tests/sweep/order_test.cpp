#include "reports/sweep/order.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "sweep_builder.h"

namespace rv::sweep {

TEST_CASE("an order comes back from its file as it was") {
  auto order = order_over({{"envs", {"1", "2"}}, {"batch", {"8"}}});
  CHECK(order_from_json(to_json(order).dump(), "sweep.json") == order);
  order.shuffle = 7;
  order.find_max = 100;
  order.timeout_s = 60;
  order.gpu = false;
  order.metrics = {{"loss", "loss (.*)"}};
  order.metrics_file = "out_{envs}.jsonl";
  order.out_of_memory_codes = {9};
  order.project = "net-1/files";
  CHECK(order_from_json(to_json(order).dump(), "sweep.json") == order);
  CHECK_THROWS_AS(order_from_json("{}", "sweep.json"), Error);
  CHECK_THROWS_AS(order_from_json("", "sweep.json"), Error);
}

TEST_CASE("more values are the same experiment, another command is not") {
  const auto order = order_over({{"envs", {"1", "2"}}});
  auto more = order_over({{"envs", {"1", "2", "4"}}});
  more.repeats = 3;
  CHECK(same_experiment(order, more));
  auto other = order;
  other.command = {"evaluate", "{envs}"};
  CHECK(!same_experiment(order, other));
  other = order;
  other.gpu = false;
  CHECK(!same_experiment(order, other));
  CHECK(!same_experiment(order, order_over({{"batch", {"1"}}})));
}

TEST_CASE("snapshots of one project are one place") {
  auto order = order_over({{"envs", {"1", "2"}}});
  auto later = order;
  later.folder = "/another";
  CHECK(!same_experiment(order, later));
  order.project = later.project = "/projects/net/files";
  CHECK(same_experiment(order, later));
  later.project = "/projects/net/files/sub";
  CHECK(!same_experiment(order, later));
  later.project = "";
  CHECK(!same_experiment(order, later));
}

}  // namespace rv::sweep
