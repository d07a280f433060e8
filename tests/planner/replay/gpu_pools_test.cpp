#include "planner/replay/model/gpu_pools.h"

#include <doctest/doctest.h>

#include "tests/planner/queue.h"

using namespace rv::planner;
using namespace std::chrono_literals;

namespace {

/// One node with two GPUs of each of two types.
Cluster two_types() {
  Cluster cluster = test::queue_cluster(1, 2);
  cluster.nodes[0].gpus.push_back({"a100", 2, 0});
  cluster.nodes[0].cpus = 8;
  return cluster;
}

}  // namespace

TEST_CASE("a request without a type takes GPUs of several types, the first pools first") {
  ReplayNode node;
  node.types.fill(no_gpu);
  node.types[0] = 4, node.types[1] = 2;
  NodeResources free;
  free.gpus[0] = 1, free.gpus[1] = 3;
  Demand demand;
  demand.gpu_type = any_gpu;
  CHECK(gpus_in(free, pools_for(node, demand)) == 4);
  NodeResources part;
  take_gpus(part, free, pools_for(node, demand), 2);
  CHECK(part.gpus[0] == 1);
  CHECK(part.gpus[1] == 1);
  demand.gpu_type = 2;
  CHECK(gpus_in(free, pools_for(node, demand)) == 3);
  demand.gpu_type = 7;
  CHECK(gpus_in(free, pools_for(node, demand)) == 0);
}

TEST_CASE("jobs without a type hold the GPUs that the others leave, in the order of their start") {
  // Job 1 has a v100, job 2 the other one and an a100.
  Cluster cluster = two_types();
  test::running(cluster, "1", {"n0"}, 1, 2h).gres_per_node = "gres:gpu:1";
  test::running(cluster, "2", {"n0"}, 1, 1h).gres_per_node = "gres:gpu:2";
  cluster.nodes[0].gpus[1].used = 1;
  for (QueuedJob& job : cluster.jobs) job.requested.erase("gres/gpu:v100");
  CHECK(test::starts_at(test::median(cluster, test::a_strategy(1, 1, 1h)), 1h));
  CHECK(test::starts_at(test::median(cluster, test::a_strategy(1, 2, 1h)), 2h));
}
