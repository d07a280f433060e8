#include "reports/accept/suite.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "reports/accept/order.h"

namespace rv::accept {

TEST_CASE("every suite is in the table once, under its own name, in the order of its number") {
  std::set<std::string_view> names;
  for (const auto suite : all_suites()) {
    CHECK_FALSE(to_string(suite).empty());
    names.insert(to_string(suite));
  }
  CHECK(names.size() == all_suites().size());
  CHECK(std::is_sorted(all_suites().begin(), all_suites().end()));
  CHECK(all_suites().back() == Suite::io);
  CHECK(static_cast<std::size_t>(Suite::io) + 1 == all_suites().size());
}

TEST_CASE("a suite that rv-compute has is one step of every node") {
  CHECK(of_compute(Suite::memory) == "memory");
  CHECK(of_compute(Suite::compute).empty());
  const Order order{.nodes = 2, .gpus_per_node = 4, .full = true, .device = "cpu", .suites = {Suite::memory}};
  const auto steps = steps_of(order);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].name == "memory");
  CHECK_FALSE(steps[0].together);
  CHECK(steps[0].worker == "rv-compute");
  CHECK(steps[0].arguments == std::vector<std::string>{"--device", "cpu", "--suite", "memory", "--all-at-once"});
  CHECK(steps[0].limit_s == 900);
}

TEST_CASE("default suites neither write files nor take long") {
  CHECK(suite_names(", ", [](Suite suite) { return !only_where_named(suite); }) ==
        "health, compute, memory, p2p, collective, train, ddp");
  CHECK(suite_names("|", times_a_model) == "resnet18|resnet50|transformer");
  CHECK(suite_names(" ").ends_with("ddp resnet18 resnet50 transformer io"));
  CHECK(suite_names(" ", needs_two_ranks) == "p2p collective ddp");
  CHECK(suite_names(" ", [](Suite suite) { return !needs_gpus(suite); }) == "io");
}

}  // namespace rv::accept
