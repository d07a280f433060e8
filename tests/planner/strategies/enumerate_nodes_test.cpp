#include <doctest/doctest.h>

#include "tests/planner/enumerate_strategies.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::ask;
using test::ask_for;
using test::enumerated;
using test::reasons;
using test::strategies_of;
using Names = std::vector<std::string>;

namespace {

/// Both A100 models in one partition.
Cluster mixed() {
  Cluster cluster = test::afton();
  for (Node& node : cluster.nodes) {
    if (node.partitions.front().starts_with("gpu-a100")) node.partitions = {"gpu-a100-80"};
  }
  return cluster;
}

}  // namespace

TEST_CASE("the user's constraint leaves nodes out where it can be decided") {
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").features = {"a40", "fast"};
  cluster.nodes.back().features.push_back("slow");
  Request request = ask_for("a40", 4);
  request.constraint = "fast";
  CHECK(strategies_of(request, cluster) == Names{"a40 1x4 plain [gpu-a40]"});
  CHECK(enumerated(request, cluster).strategies.at(0).constraint == "fast");
  request.constraint = "slow";
  CHECK(reasons(enumerated(request, cluster), "a40").find("with the features slow") != std::string::npos);
  request.constraint = "[fast|slow]";
  CHECK(strategies_of(request, cluster) == Names{"a40 1x4 plain [gpu-a40]"});
  request.constraint = "[fast|a40]";
  CHECK(strategies_of(request, cluster).size() == 2);
}

TEST_CASE("excluded nodes do not count and are passed on") {
  Request request = ask_for("a40", 4);
  request.exclude = {"an33-1", "an36-1"};
  const Plan plan = enumerated(request);
  CHECK(test::summary(plan.strategies) == Names{"a40 1x4 plain [gpu-a40]"});
  CHECK(plan.strategies[0].exclude == request.exclude);
  request.exclude = {"an33-1", "an33-2"};
  CHECK(reasons(enumerated(request), "a40").find("--exclude") != std::string::npos);
}

TEST_CASE("if a gres request could get another model, the model's feature is requested") {
  Request request = ask_for("a100_80", 4);
  CHECK(enumerated(request, mixed()).strategies.at(0).constraint == "a100_80gb");
  CHECK(enumerated(request).strategies.at(0).constraint.empty());
  request.constraint = "a100|a40";
  CHECK(enumerated(request, mixed()).strategies.at(0).constraint == "(a100|a40)&a100_80gb");
  request.constraint = "a100_80gb";
  CHECK(enumerated(request, mixed()).strategies.at(0).constraint == "a100_80gb");
}

TEST_CASE("a feature that only some of the model's nodes have is not requested") {
  Cluster cluster = mixed();
  test::node_of(cluster, "an36-2").features = {"a100_80"};
  GpuCatalogue catalogue = test::afton_catalogue();
  catalogue.models[3].features.push_back("a100_80");
  const Plan plan = enumerate(cluster, catalogue, ask_for("a100_80", 4));
  REQUIRE(plan.strategies.size() == 2);
  CHECK(plan.strategies[0].constraint.empty());
  CHECK(plan.strategies[0].exclude == Names{"an34-1", "an34-2"});
}

TEST_CASE("the feature is requested in the node's spelling") {
  Cluster cluster = mixed();
  for (const char* name : {"an36-1", "an36-2"}) test::node_of(cluster, name).features = {"gpu", "A100_80GB"};
  const Strategy strategy = enumerated(ask_for("a100_80", 4), cluster).strategies.at(0);
  CHECK(strategy.constraint == "A100_80GB");
  CHECK(strategy.exclude.empty());
}

TEST_CASE("named nodes are all taken, or the list is refused and a missing node is named") {
  Request request = ask_for("a40", 4);
  request.nodelist = {"an33-1", "an33-2"};
  request.nodes = 2;
  const auto plan = enumerated(request);
  REQUIRE_FALSE(plan.strategies.empty());
  for (const auto& one : plan.strategies) {
    CHECK(one.nodelist == request.nodelist);
    CHECK(one.nodes == 2);
  }
  request.nodelist = {"an33-1", "an36-1"};
  CHECK(enumerated(request).strategies.empty());
  CHECK(reasons(enumerated(request), "a40").find("an36-1 of --nodelist is not a node of ") != std::string::npos);
}

TEST_CASE("a list with fewer nodes than --nodes is part of them") {
  Request request = ask_for("a40", 4);
  request.nodelist = {"an33-1"};
  request.nodes = 2;
  const auto plan = enumerated(request);
  REQUIRE_FALSE(plan.strategies.empty());
  for (const auto& one : plan.strategies) {
    CHECK(one.nodelist == request.nodelist);
    CHECK(one.nodes == 2);
  }
  Cluster cluster = test::afton();
  test::node_of(cluster, "an33-1").state.flags = {"DRAIN"};
  const Plan drained = enumerate(cluster, test::afton_catalogue(), request);
  CHECK(drained.strategies.empty());
  CHECK(reasons(drained, "a40") == "a node of --nodelist is out of service (an33-1 is IDLE+DRAIN)");
  request.nodelist = {"an36-1"};
  CHECK(reasons(enumerated(request), "a40").find("an36-1 of --nodelist is not a node of ") != std::string::npos);
}

TEST_CASE("without its own feature the others' nodes are excluded") {
  Cluster cluster = mixed();
  for (const char* name : {"an36-1", "an36-2"}) test::node_of(cluster, name).features = {};
  Request request = ask_for("a100", 4);
  request.exclude = {"an33-1"};
  GpuCatalogue catalogue = test::afton_catalogue();
  catalogue.aliases.clear();
  const Plan plan = enumerate(cluster, catalogue, request);
  CHECK(test::summary(plan.strategies) == Names{"a100_40 1x4 plain [gpu-a100-80]", "a100_40 2x2 plain [gpu-a100-80]",
                                                "a100 1x4 plain [gpu-a100-80]", "a100 2x2 plain [gpu-a100-80]"});
  for (const Strategy& one : plan.strategies) {
    const bool unknown = one.gpu.name == "a100";
    CHECK(one.constraint == (unknown ? "" : "a100_40gb"));
    CHECK(one.exclude == (unknown ? Names{"an33-1", "an34-1", "an34-2"} : Names{"an33-1"}));
  }
}

TEST_CASE("a feature that can't be combined with the user's is replaced by excluding nodes") {
  Request request = ask_for("a100_80", 4);
  request.constraint = "(a100&a100_80gb)|a100_40gb";
  const Strategy strategy = enumerated(request, mixed()).strategies.at(0);
  CHECK(strategy.constraint == request.constraint);
  CHECK(strategy.exclude == Names{"an34-1", "an34-2"});
}

TEST_CASE("an untyped gres is requested without a type") {
  Cluster cluster = test::afton();
  for (const char* name : {"an33-1", "an33-2"}) test::node_of(cluster, name).gpus = {{"", 8}};
  const Plan plan = enumerated(ask_for("gpu", 2), cluster);
  REQUIRE(plan.strategies.size() == 1);
  CHECK(plan.strategies[0].gres_type.empty());
  CHECK(plan.strategies[0].gpu.name == "gpu");
}
