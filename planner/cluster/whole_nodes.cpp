#include "planner/cluster/whole_nodes.h"

#include <string>

namespace rv::planner {

Tres whole_node_tres(const Node& node) {
  Tres all{{"node", 1}, {"cpu", node.cpus}};
  for (const GpuPool& pool : node.gpus) {
    all["gres/gpu"] += pool.total;
    if (!pool.type.empty()) all[std::string(typed_gpu) + pool.type] += pool.total;
  }
  return all;
}

Tres in_whole_nodes(Tres job, const Node& node, int nodes) {
  for (const auto& [name, amount] : whole_node_tres(node)) job[name] = amount * nodes;
  return job;
}

}  // namespace rv::planner
