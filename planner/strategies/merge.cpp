#include "planner/strategies/merge.h"

#include <algorithm>
#include <string>
#include <utility>

#include "planner/cluster/preemption.h"
#include "planner/sharing/node_tenants.h"

namespace rv::planner {

namespace {

bool has_own_association(const Cluster& cluster, const std::string& partition) {
  return std::any_of(cluster.associations.begin(), cluster.associations.end(),
                     [&](const Association& one) { return one.partition == partition; });
}

bool same_job(const Strategy& a, const Strategy& b) {
  return a.gpu.name == b.gpu.name && a.gres_type == b.gres_type && a.nodes == b.nodes &&
         a.gpus_per_node == b.gpus_per_node && a.kind == b.kind && a.time_limit == b.time_limit &&
         a.work_time == b.work_time && a.segments == b.segments && a.cpus_per_node == b.cpus_per_node &&
         a.memory_per_node == b.memory_per_node && a.constraint == b.constraint && a.account == b.account &&
         a.qos == b.qos && a.exclude == b.exclude && a.nodelist == b.nodelist && a.sbatch == b.sbatch &&
         a.charged == b.charged && a.exclusive == b.exclusive && a.all_memory == b.all_memory &&
         a.on_gpu_nodes == b.on_gpu_nodes;
}

bool may_share_a_job(const Cluster& cluster, const Strategy& a, const Strategy& b) {
  const Partition* one = cluster.find_partition(a.partitions.front());
  const Partition* other = cluster.find_partition(b.partitions.front());
  return one != nullptr && other != nullptr && same_sharing(*one, *other) &&
         one->default_memory_per_gpu == other->default_memory_per_gpu &&
         same_preemption(cluster.controller, *one, *other) && !has_own_association(cluster, one->name) &&
         !has_own_association(cluster, other->name);
}

}  // namespace

void merge_partitions(std::vector<Strategy>& strategies, const Cluster& cluster) {
  std::vector<Strategy> merged;
  for (Strategy& next : strategies) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Strategy& earlier) {
      return same_job(earlier, next) && may_share_a_job(cluster, earlier, next);
    });
    if (same == merged.end()) {
      merged.push_back(std::move(next));
    } else {
      same->partitions.push_back(next.partitions.front());
    }
  }
  strategies = std::move(merged);
}

}  // namespace rv::planner
