#include "planner/sharing/switches.h"

#include "planner/slurm_words/release.h"

namespace rv::planner {

bool in_topology(const Cluster& cluster, const Node& node) {
  constexpr int first_that_starts_there = 2605;
  return node.top_switch != node.name || release_of(cluster.controller.version) >= first_that_starts_there;
}

}  // namespace rv::planner
