#include "planner/strategies/licences.h"

#include <doctest/doctest.h>

#include "planner/make_plan.h"
#include "tests/planner/queue.h"

using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

std::string waits(const char* licences, std::map<std::string, std::int64_t> free) {
  Cluster cluster;
  cluster.free_licenses = std::move(free);
  Strategy strategy;
  strategy.sbatch["licenses"] = licences;
  return waits_for_licences(cluster, strategy);
}

}  // namespace

TEST_CASE("licences of a request") {
  const LicenceRequest request = parse_licences("solver:2,matlab@server;tool*3,plain");
  REQUIRE(request.licences.size() == 4);
  CHECK(request.licences[0].name == "solver");
  CHECK(request.licences[0].count == 2);
  CHECK(request.licences[1].name == "matlab@server");
  CHECK(request.licences[1].count == 1);
  CHECK(request.licences[2].count == 3);
  CHECK_FALSE(request.any_of);
  CHECK(parse_licences("a|b").any_of);
  CHECK(parse_licences("").licences.empty());
}

TEST_CASE("a job waits for licences that are in use") {
  CHECK(waits("solver:2", {{"solver", 2}}).empty());
  CHECK(waits("solver:2", {{"solver", 1}}) == "2 licences solver are asked for, 1 is free");
  CHECK(waits("solver", {{"solver", 0}}) == "1 licence solver is asked for, 0 are free");
  CHECK(waits("other,solver", {{"other", 1}, {"solver", 0}}) == "1 licence solver is asked for, 0 are free");
  CHECK(waits("solver|other", {{"other", 1}, {"solver", 0}}).empty());
  CHECK_FALSE(waits("solver|other", {{"other", 0}, {"solver", 0}}).empty());
  // Of another server, or nothing is known.
  CHECK(waits("matlab@server", {{"solver", 0}}).empty());
  Strategy strategy;
  strategy.sbatch["licenses"] = "solver";
  CHECK(waits_for_licences(Cluster(), strategy).empty());
}

TEST_CASE("a plan that lacks a licence has an unknown wait, with and without replays") {
  Cluster cluster = test::queue_cluster(1, 4);
  cluster.controller.licenses = {{{"solver", 1}}};
  cluster.free_licenses = {{{"solver", 0}}};
  Request request;
  request.sbatch["licenses"] = "solver";
  const auto check = [&](const Plan& plan, const char* basis) {
    REQUIRE_FALSE(plan.strategies.empty());
    CHECK(plan.strategies[0].wait.basis == basis);
    CHECK(plan.strategies[0].wait.p50.has_value() == (std::string(basis) == "free now"));
  };
  const char* unknown = "unknown: 1 licence solver is asked for, 0 are free";
  check(make_plan(cluster, {}, request), unknown);
  check(make_plan(cluster, {}, request, ForecastInputs()), unknown);
  cluster.free_licenses = {{{"solver", 1}}};
  check(make_plan(cluster, {}, request), "free now");
  check(make_plan(cluster, {}, request, ForecastInputs()), "free now");
}
