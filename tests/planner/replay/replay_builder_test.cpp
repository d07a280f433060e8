#include "planner/replay/model/replay_builder.h"

#include <doctest/doctest.h>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;

namespace {

Demand one_gpu() {
  Demand demand;
  demand.cpus = 1;
  demand.gpu_type = any_gpu;
  demand.gpus = 1;
  return demand;
}

/// A partition of the first so many nodes beside the cluster's own.
void overlap(Cluster& cluster, const std::string& name, std::size_t nodes) {
  test::add_partition(cluster, name);
  for (std::size_t i = 0; i < nodes; ++i) cluster.nodes[i].partitions.push_back(name);
}

}  // namespace

TEST_CASE("the same request on the same nodes is one shape in all partitions") {
  Cluster cluster = test::queue_cluster(3, 4);
  overlap(cluster, "twin", 3);
  overlap(cluster, "smaller", 2);
  const RunTimes unknown({}, nullptr);
  ReplayBuilder builder(cluster, unknown);
  const int shape = builder.shape(0, one_gpu(), 1, {});
  CHECK(builder.shape(1, one_gpu(), 1, {}) == shape);
  CHECK(builder.shape(2, one_gpu(), 1, {}) != shape);
  CHECK(builder.shape(1, one_gpu(), 2, {}) != shape);
  Demand two = one_gpu();
  two.gpus = 2;
  CHECK(builder.shape(1, two, 1, {}) != shape);
  CHECK(builder.shape(1, one_gpu(), 1, {}) == shape);
}

TEST_CASE("jobs of a reservation may use its nodes, so they have a separate shape") {
  Cluster cluster = test::queue_cluster(2, 4);
  Reservation mine;
  mine.name = "course";
  mine.start = cluster.taken_at;
  mine.end = cluster.taken_at + std::chrono::hours(4);
  for (const Node& node : cluster.nodes) mine.nodes.push_back(node.name);
  cluster.reservations.push_back(mine);
  const RunTimes unknown({}, nullptr);
  ReplayBuilder builder(cluster, unknown);
  NodeConstraints inside;
  inside.reservation = 0;
  CHECK(builder.shape(0, one_gpu(), 1, inside) != builder.shape(0, one_gpu(), 1, {}));
}

TEST_CASE("nodes have their weights, and a job the choice of its partition and release") {
  Cluster cluster = test::queue_cluster(2, 4);
  cluster.nodes[1].weight = 10;
  cluster.controller.version = "25.05.8";
  const auto choice_of = [&](const QueuedJob& job) {
    const RunTimes unknown({}, nullptr);
    ReplayBuilder builder(cluster, unknown);
    Demand demand = one_gpu();
    builder.apply_rules(demand, 0, job);
    return demand.choice;
  };
  const QueuedJob own;
  QueuedJob queued;
  queued.id = "7";
  queued.gres_per_node = "gres:gpu:1";
  CHECK(choice_of(own) == NodeChoice::first);
  CHECK(choice_of(queued) == NodeChoice::tightest);
  cluster.partitions[0].least_loaded = true;
  CHECK(choice_of(own) == NodeChoice::least_loaded);
  CHECK(choice_of(queued) == NodeChoice::least_loaded);
  cluster.controller.version = "26.05.3";
  CHECK(choice_of(own) == NodeChoice::smallest);
  CHECK(choice_of(queued) == NodeChoice::smallest);
  cluster.partitions[0].least_loaded = false;
  CHECK(choice_of(queued) == NodeChoice::first);
  cluster.controller.select_type_parameters = "CR_CORE_MEMORY,CR_LLN";
  CHECK(choice_of(queued) == NodeChoice::smallest);
  const RunTimes unknown({}, nullptr);
  const ReplayModel model = ReplayBuilder(cluster, unknown).finish();
  for (std::size_t i = 0; i < 2; ++i) CHECK(model.nodes[i].weight == (model.positions[i] == 1 ? 10 : 1));
}
