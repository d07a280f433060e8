#include "planner/strategies/free_now.h"

#include <algorithm>

#include "base/text.h"
#include "planner/cluster/admission.h"
#include "planner/cluster/node_filter.h"
#include "planner/cluster/reservation_access.h"
#include "planner/sharing/gpu_memory.h"
#include "planner/sharing/switches.h"

namespace rv::planner {

namespace {

/// Without the words that a reservation puts there while it is active.
NodeState without_reservation(const NodeState& state) {
  NodeState rest = state;
  std::erase_if(rest.flags,
                [](const std::string& flag) { return flag == "RESERVED" || flag == "MAINTENANCE" || flag == "MAINT"; });
  return rest;
}

/// A job that waits for a place of a partition.
struct Seeker {
  const Cluster& cluster;
  const NodeTenants& tenants;
  const Strategy& strategy;
  const Partition& partition;
};

bool has_room(const NodeGpus& place, const Seeker& job) {
  const Node& node = *place.node;
  const Strategy& strategy = job.strategy;
  const bool in_use = node.cpus_used > 0 || place.used > 0;
  if (!node.owner.empty() && node.owner != job.cluster.user) return false;
  if (in_use && (job.partition.exclusive || strategy.exclusive)) return false;
  if (strategy.all_memory && node.memory_used.count > 0) return false;
  if (!in_topology(job.cluster, node)) return false;
  const std::int64_t memory = std::max(strategy.memory_per_node.count,
                                       memory_for_gpus(job.cluster.controller, job.partition, strategy.gpus_per_node));
  return place.total - place.used >= strategy.gpus_per_node && node.memory.count - node.memory_used.count >= memory &&
         job.tenants.may_join(node, job.partition, strategy.cpus_per_node);
}

/// What the reservations of a node do to the job.
struct Reserved {
  const Reservation* in_the_way = nullptr;  // the first that the job would run into
  bool magnetic = false;                    // a reservation takes it now
};

Reserved reserved(const ClusterIndex& index, const Node& node, const JobRights& job, std::chrono::seconds time_limit) {
  Reserved result;
  const auto found = index.reservations.find(node.name);
  if (found == index.reservations.end()) return result;
  const TimePoint now = index.cluster->taken_at;
  for (const Reservation* reservation : found->second) {
    if (reservation->start >= now + time_limit || reservation->end <= now) continue;
    if (is_magnetic_for(*reservation, job, now, time_limit)) {
      result.magnetic = true;
    } else if (result.in_the_way == nullptr) {
      result.in_the_way = reservation;
    }
  }
  return result;
}

struct Found {
  std::vector<const Node*> free;
  std::vector<const Node*> free_or_reserved;
  bool maintenance = false;
};

Found find_nodes(const ClusterIndex& index, const NodeTenants& tenants, const ModelInPartition& model_in_partition,
                 const Strategy& strategy, const NodeFilter& filter) {
  Found found;
  const Seeker seeker{*index.cluster, tenants, strategy, *model_in_partition.partition};
  const JobRights job =
      index.reservations.empty() ? JobRights() : rights_of(*index.cluster, strategy, *model_in_partition.partition);
  for (const NodeGpus& place : model_in_partition.nodes) {
    if (!has_room(place, seeker) || !filter.passes(*place.node)) continue;
    const NodeState& state = place.node->state;
    const Reserved place_reserved = reserved(index, *place.node, job, strategy.time_limit);
    const bool ready = without_reservation(state).start() == NodeStart::now;
    if (place_reserved.in_the_way != nullptr) {
      if (!ready) continue;
      found.free_or_reserved.push_back(place.node);
      found.maintenance = found.maintenance || contains(place_reserved.in_the_way->flags, "MAINT");
    } else if (state.start() == NodeStart::now || (place_reserved.magnetic && ready)) {
      found.free.push_back(place.node);
      found.free_or_reserved.push_back(place.node);
    }
  }
  return found;
}

}  // namespace

Wait wait_now(const ClusterIndex& index, const Usage& usage, const NodeTenants& tenants, const Strategy& strategy) {
  Wait wait;
  const Cluster& cluster = *index.cluster;
  const NodeFilter filter(strategy.constraint, strategy.exclude, strategy.nodelist, strategy.nodes);
  if (!filter.readable() || cluster.unanswered.contains("reservations")) return wait;
  for (const std::string& name : strategy.partitions) {
    const ModelInPartition* model_in_partition = index.find(name, strategy.gpu.name, strategy.gres_type);
    if (model_in_partition == nullptr || !model_in_partition->partition->up) continue;
    if (!within_shared_limits(cluster, usage, *model_in_partition->partition, strategy)) continue;
    const Found found = find_nodes(index, tenants, *model_in_partition, strategy, filter);
    if (filter.together(found.free, strategy.nodes)) {
      wait.p10 = wait.p50 = wait.p90 = std::chrono::seconds(0);
      wait.basis = free_now_basis;
      return wait;
    }
    if (filter.together(found.free_or_reserved, strategy.nodes)) {
      wait.basis = found.maintenance ? "after maintenance" : "after a reservation";
    }
  }
  return wait;
}

}  // namespace rv::planner
