#include "planner/replay/model/held_gpus.h"

#include <doctest/doctest.h>

namespace rv::planner {
namespace {

Demand gpus(int type, int count) {
  Demand demand;
  demand.gpu_type = type;
  demand.gpus = count;
  return demand;
}

TEST_CASE("jobs that name no type hold the used GPUs that the others leave, in their order") {
  // Types 0 and 1: three of four and two of four are used.
  std::vector<ReplayNode> nodes(1);
  nodes[0].types.fill(no_gpu);
  nodes[0].types[0] = 0;
  nodes[0].types[1] = 1;
  nodes[0].total.gpus[0] = nodes[0].total.gpus[1] = 4;
  nodes[0].free.gpus[0] = 1;
  nodes[0].free.gpus[1] = 2;
  HeldGpus held(nodes);
  held.count_named(0, gpus(0, 2));
  held.count_named(0, gpus(any_gpu, 3));  // names none

  NodeResources named;
  held.take(0, gpus(0, 2), named);
  CHECK(named.gpus[0] == 2);
  NodeResources first;
  held.take(0, gpus(any_gpu, 2), first);
  CHECK(first.gpus[0] == 1);
  CHECK(first.gpus[1] == 1);
  NodeResources second;
  held.take(0, gpus(any_gpu, 2), second);
  CHECK(second.gpus[0] == 0);
  CHECK(second.gpus[1] == 1);
}

}  // namespace
}  // namespace rv::planner
