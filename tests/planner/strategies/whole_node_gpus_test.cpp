#include "planner/strategies/whole_node_gpus.h"

#include <doctest/doctest.h>

#include "tests/planner/enumerate_strategies.h"

using namespace rv;
using namespace rv::planner;
using test::ask;
using test::ask_for;

namespace {

int whole_node(const Request& request, const Cluster& cluster = test::afton()) {
  return whole_node_gpus(cluster, test::afton_catalogue(), request);
}

/// One A40 node of eight GPUs and two of four, one of which has a feature of its own.
Cluster uneven() {
  Cluster cluster = test::afton();
  std::erase_if(cluster.nodes, [](const Node& node) { return node.name == "an33-2"; });
  test::add_nodes(cluster, "small", 2, "gpu-a40", {"a40", 4}, 48, 700, {"a40"});
  test::node_of(cluster, "small-2").features.emplace_back("old");
  return cluster;
}

}  // namespace

TEST_CASE("a whole node is the largest that the request may use") {
  CHECK(whole_node(ask(1)) == 8);
  CHECK(whole_node(ask_for("v100", 1)) == 4);
  Request request = ask_for("a40", 1);
  CHECK(whole_node(request, uneven()) == 8);
  request.exclude = {"an33-1"};
  CHECK(whole_node(request, uneven()) == 4);
  request.exclude.clear();
  request.constraint = "old";
  CHECK(whole_node(request, uneven()) == 4);
  request.constraint.clear();
  request.nodelist = {"small-1"};
  CHECK(whole_node(request, uneven()) == 4);
  request.nodelist.clear();
  Cluster broken = uneven();
  test::node_of(broken, "an33-1").state.flags = {"DRAIN"};
  CHECK(whole_node(request, broken) == 4);
}

TEST_CASE("only the nodes of the named partitions count") {
  Request request = ask(1);
  request.partitions = {"gpu-v100"};
  CHECK(whole_node(request) == 4);
  request.partitions = {"gpu-v100", "gpu-a40"};
  CHECK(whole_node(request) == 8);
  request.partitions = {"standard"};
  CHECK(whole_node(request) == 1);
}

TEST_CASE("a whole node of several is the size that so many nodes have") {
  Request request = ask_for("a40", 1);
  for (const int nodes : {2, 3}) {
    request.nodes = nodes;
    CHECK(whole_node(request, uneven()) == 4);
  }
}

TEST_CASE("a part of a node is not a whole node, also where a limit allows no more") {
  // Its QOS allows four of the eight GPUs of a node, and other nodes have four.
  CHECK(whole_node(ask_for("h200", 1)) == 8);
  Request request = ask(1);
  request.partitions = {"gpu-h200", "gpu-v100"};
  CHECK(whole_node(request) == 4);
}

TEST_CASE("one MIG slice is a whole node, and slices count only if they are named") {
  CHECK(whole_node(ask_for("1g.10gb", 1)) == 1);
  Request request = ask(1);
  request.partitions = {"gpu-mig"};
  CHECK(whole_node(request) == 1);
  request.mig = true;
  CHECK(whole_node(request) == 1);
}
