#include "reports/accept/step_name.h"

#include <doctest/doctest.h>

namespace rv::accept::step_name {

TEST_CASE("a step's name determines whether it connects all nodes and whether its figures are named after it") {
  CHECK(of(Suite::ddp) == "ddp");
  CHECK(of(Suite::ddp, true) == "ddp-all-nodes");
  CHECK(is_of_all_nodes(of(Suite::p2p, true)));
  CHECK_FALSE(is_of_all_nodes(of(Suite::p2p)));
  for (const auto suite : all_suites()) CHECK(is_of(suite, of(suite)));
  for (const auto name : {compute, compute_link, compute_in_turn, compute_sustained})
    CHECK(is_of(Suite::compute, name));
  for (const auto name : {health_before, health_after}) CHECK(is_of(Suite::health, name));
  CHECK_FALSE(is_of(Suite::compute, health_before));
  CHECK(gives_plain_figures(compute));
  CHECK(gives_plain_figures(compute_link));
  CHECK_FALSE(gives_plain_figures(compute_in_turn));
  CHECK_FALSE(gives_plain_figures("resnet18"));
}

}  // namespace rv::accept::step_name
