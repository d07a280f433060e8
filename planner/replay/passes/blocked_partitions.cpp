#include "planner/replay/passes/blocked_partitions.h"

namespace rv::planner {

void BlockedPartitions::begin_pass() {
  by_job_.begin_pass();
  by_hypothetical_.begin_pass();
  nodes_.begin_pass();
  any_nodes_ = false;
}

void BlockedPartitions::block_nodes_of(int partition) {
  for (const int node : model_.partition_nodes[partition]) nodes_[node] = true;
  any_nodes_ = true;
}

}  // namespace rv::planner
