#include "cli/launch/nothing_fits.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace std::chrono_literals;

namespace {

planner::Cluster cluster_with(const std::string& type, int gpus) {
  planner::Cluster cluster;
  cluster.nodes.resize(2);
  for (auto& node : cluster.nodes) {
    node.state.base = "IDLE";
    node.gpus = {{type, gpus / 2}, {"1g.10gb", 100}};
  }
  return cluster;
}

planner::Request request_of(int gpus, std::chrono::seconds time) {
  planner::Request request;
  request.gpus = gpus;
  request.time = time;
  return request;
}

std::string words(const Error& error) {
  CHECK(error.code() == ExitCode::no_strategy);
  return std::string(error.what()) + " | " + error.advice();
}

}  // namespace

TEST_CASE("more GPUs are requested than one type has") {
  CHECK(words(cli::nothing_fits({}, cluster_with("a100", 16), request_of(64, 1h))) ==
        "this cluster can't provide 64 GPUs for 1h; nothing was submitted | the maximum for one type is 16× a100");
  auto cluster = cluster_with("a100", 16);
  cluster.nodes[0].state.base = "DOWN";
  CHECK(words(cli::nothing_fits({}, cluster, request_of(9, 1h))).ends_with("the maximum for one type is 8× a100"));
}

TEST_CASE("the table lists the other limits that a request can exceed") {
  CHECK(words(cli::nothing_fits({}, cluster_with("a100", 16), request_of(1, 1h))) ==
        "this cluster can't provide 1 GPU for 1h; nothing was submitted | "
        "the table has the reason for each type; request less, or try rv plan -g 1");
}

TEST_CASE("a time that only segments reach") {
  planner::Plan plan;
  plan.strategies.resize(2);
  for (auto& strategy : plan.strategies) strategy.kind = planner::Kind::checkpoint;
  plan.strategies[0].time_limit = 12h;
  plan.strategies[0].segments = 202;
  plan.strategies[1].time_limit = 72h;
  plan.strategies[1].segments = 34;
  CHECK(words(cli::nothing_fits(plan, cluster_with("a100", 16), request_of(1, 2400h))) ==
        "no job on this cluster can get 1 GPU for 100d (at most 3d); nothing was submitted | "
        "a command that saves its state can run in 34 segments: add --checkpoint");
}

TEST_CASE("the controller's rejections are shown") {
  planner::Plan plan;
  plan.strategies.resize(1);
  plan.strategies[0].controller = planner::TestOnlyResult{};
  plan.strategies[0].controller->outcome = planner::TestOnlyResult::Outcome::refused;
  CHECK(words(cli::nothing_fits(plan, cluster_with("a100", 16), request_of(1, 1h)))
            .starts_with("the controller refuses every way to get 1 GPU for 1h; nothing was submitted"));
}
