#include "planner/strategies/prune.h"

#include <algorithm>
#include <limits>
#include <string>

#include "planner/cluster/node_filter.h"
#include "planner/cluster/preemption.h"
#include "planner/sharing/node_tenants.h"

namespace rv::planner {

namespace {

using NodeSet = std::vector<const Node*>;

/// Nodes that the strategy could get in one of its partitions, in address order.
NodeSet reach(const ClusterIndex& index, const Strategy& strategy, const std::string& partition) {
  NodeSet nodes;
  const ModelInPartition* model_in_partition = index.find(partition, strategy.gpu.name, strategy.gres_type);
  if (model_in_partition == nullptr) return nodes;
  const NodeFilter filter(strategy.constraint, strategy.exclude, strategy.nodelist, strategy.nodes);
  for (const NodeGpus& place : model_in_partition->nodes) {
    const bool big_enough = place.total >= strategy.gpus_per_node && place.node->cpus >= strategy.cpus_per_node &&
                            place.node->memory >= strategy.memory_per_node;
    if (big_enough && filter.passes(*place.node)) nodes.push_back(place.node);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// One partition of one strategy.
struct Choice {
  std::size_t strategy = 0;
  const Partition* partition = nullptr;
  NodeSet nodes;
  bool dropped = false;
};

bool comparable_strategies(const Strategy& a, const Strategy& b) {
  return a.kind == b.kind && a.gpu.name == b.gpu.name && a.nodes == b.nodes && a.gpus_per_node == b.gpus_per_node &&
         a.time_limit == b.time_limit && a.work_time == b.work_time && a.account == b.account && a.qos == b.qos;
}

bool no_dearer(const Strategy& a, const Strategy& b) {
  const double unknown = std::numeric_limits<double>::infinity();
  return a.on_gpu_nodes <= b.on_gpu_nodes && a.cpus_per_node <= b.cpus_per_node &&
         a.memory_per_node <= b.memory_per_node && a.cost_su.value_or(unknown) <= b.cost_su.value_or(unknown);
}

/// `a` is at least as good as `b` in everything.
bool covers(const Choice& a, const Choice& b, const std::vector<Strategy>& strategies,
            const ControllerSettings& controller) {
  const Strategy& way_a = strategies[a.strategy];
  const Strategy& way_b = strategies[b.strategy];
  const Partition& in_a = *a.partition;
  const Partition& in_b = *b.partition;
  return comparable_strategies(way_a, way_b) && no_dearer(way_a, way_b) && in_a.qos == in_b.qos &&
         in_a.priority_tier >= in_b.priority_tier && in_a.priority_job_factor >= in_b.priority_job_factor &&
         same_preemption(controller, in_a, in_b) && same_sharing(in_a, in_b) &&
         in_a.default_memory_per_gpu == in_b.default_memory_per_gpu &&
         std::includes(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end());
}

}  // namespace

void prune(std::vector<Strategy>& strategies, const ClusterIndex& index) {
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    for (const std::string& name : strategies[i].partitions) {
      const Partition* partition = index.cluster->find_partition(name);
      if (partition != nullptr) choices.push_back({i, partition, reach(index, strategies[i], name)});
    }
  }
  const ControllerSettings& controller = index.cluster->controller;
  for (Choice& weak : choices) {
    weak.dropped = std::any_of(choices.begin(), choices.end(), [&](const Choice& strong) {
      return &strong != &weak && covers(strong, weak, strategies, controller) &&
             !covers(weak, strong, strategies, controller);
    });
  }
  for (const Choice& choice : choices) {
    if (choice.dropped) std::erase(strategies[choice.strategy].partitions, choice.partition->name);
  }
  std::erase_if(strategies, [](const Strategy& strategy) { return strategy.partitions.empty(); });
}

}  // namespace rv::planner
