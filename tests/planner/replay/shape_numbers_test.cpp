#include "planner/replay/model/shape_numbers.h"

#include <doctest/doctest.h>

#include "tests/planner/queue.h"

using namespace rv::planner;
using Places = std::vector<int>;

namespace {

/// Three open nodes of 8 CPUs in one partition; n2 is under another switch.
struct ThreeNodes {
  Cluster cluster = test::queue_cluster(3, 1);
  ReplayModel model;
  std::unordered_map<std::string_view, int> numbers{{"n0", 0}, {"n1", 1}, {"n2", 2}};
  LeftOut left_out;

  ThreeNodes() {
    for (std::size_t i = 0; i < 3; ++i) cluster.nodes[i].top_switch = i < 2 ? "s0" : "s1";
    model.partitions = {"gpu"};
    model.partition_nodes = {{0, 1, 2}};
    model.nodes.resize(3);
    model.reserved_times.resize(3);
    for (ReplayNode& node : model.nodes) {
      node.open = true;
      node.total.cpus = 8;
    }
  }
};

Demand cpus(int count) {
  Demand demand;
  demand.cpus = count;
  return demand;
}

}  // namespace

TEST_CASE("a shape has the nodes that pass its filter and could hold its part") {
  ThreeNodes three;
  three.model.nodes[0].total.cpus = 4;
  ShapeNumbers shapes(three.cluster, three.model, three.numbers, three.left_out);
  const auto places = [&](const NodeConstraints& filter, int nodes = 1) {
    return three.model.shapes[shapes.shape(0, cpus(8), nodes, filter)].places;
  };
  CHECK(places({}) == Places{1, 2});
  CHECK(places({.features = "", .excluded = {"n2"}, .required = {}}) == Places{1});
  CHECK(places({.features = "", .excluded = {}, .required = {"n2"}}) == Places{2});
  CHECK(places({.features = "", .excluded = {}, .required = {}, .reservation = -1, .top_switch = "s1"}) == Places{2});
  // Two nodes, one of them named: the other may be any.
  CHECK(places({.features = "", .excluded = {}, .required = {"n2"}}, 2) == Places{1, 2});
  CHECK(places({.features = "", .excluded = {}, .required = {"n0"}}, 2).empty());
  CHECK(three.left_out.texts().empty());
}

TEST_CASE("equal shapes share their number, and count their places once") {
  ThreeNodes three;
  ShapeNumbers shapes(three.cluster, three.model, three.numbers, three.left_out);
  const int first = shapes.shape(0, cpus(2), 1, {});
  CHECK(shapes.shape(0, cpus(2), 1, {}) == first);
  CHECK(shapes.shape(0, cpus(2), 1, {.features = "", .excluded = {"n9"}, .required = {}}) == first);
  CHECK(three.model.places == 3);
  CHECK(shapes.shape(0, cpus(4), 1, {}) != first);
  CHECK(three.model.places == 6);
}

TEST_CASE("a job of several nodes has a shape for each top switch, a job of one node has one") {
  ThreeNodes three;
  ShapeNumbers shapes(three.cluster, three.model, three.numbers, three.left_out);
  CHECK(shapes.islands(0, 1) == std::vector<std::string>{""});
  CHECK(shapes.islands(0, 2) == std::vector<std::string>{"s0", "s1"});
}
