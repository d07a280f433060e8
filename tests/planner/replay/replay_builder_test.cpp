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

TEST_CASE("the same request on the same nodes is one shape, in whatever partition") {
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

TEST_CASE("jobs of a reservation see its nodes otherwise than the rest do, so theirs is a shape of its own") {
  Cluster cluster = test::queue_cluster(2, 4);
  Reservation mine;
  mine.name = "course";
  mine.start = cluster.taken_at;
  mine.end = cluster.taken_at + std::chrono::hours(4);
  for (const Node& node : cluster.nodes) mine.nodes.push_back(node.name);
  cluster.reservations.push_back(mine);
  const RunTimes unknown({}, nullptr);
  ReplayBuilder builder(cluster, unknown);
  PlaceFilter inside;
  inside.reservation = 0;
  CHECK(builder.shape(0, one_gpu(), 1, inside) != builder.shape(0, one_gpu(), 1, {}));
}
