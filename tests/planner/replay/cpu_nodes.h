// The smallest model to look for free nodes in.
#pragma once

#include "planner/replay/model/replay_model.h"

namespace rv::planner::test {

/// Open nodes with 8 free CPUs each, without GPUs.
inline ReplayModel cpu_nodes(int nodes) {
  ReplayModel model;
  for (int i = 0; i < nodes; ++i) {
    ReplayNode node;
    node.total.cpus = node.free.cpus = 8;
    node.types.fill(no_gpu);
    node.open = true;
    model.nodes.push_back(node);
  }
  model.reserved_times.resize(model.nodes.size());
  return model;
}

}  // namespace rv::planner::test
