#include "planner/strategies/free_now.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "planner/cluster/node_filter.h"

namespace rv::planner {

namespace {

/// Without the words that a reservation puts there while it is active.
NodeState without_reservation(const NodeState& state) {
  NodeState rest = state;
  std::erase_if(rest.flags,
                [](const std::string& flag) { return flag == "RESERVED" || flag == "MAINTENANCE" || flag == "MAINT"; });
  return rest;
}

/// Nobody else is promised it, and it needs no boot.
bool takes_jobs_at_once(const NodeState& state) {
  constexpr std::array<std::string_view, 13> later{
      "PLANNED",     "RESERVED", "COMPLETING",   "BLOCKED", "POWER_DOWN",    "POWERED_DOWN",    "POWERING_DOWN",
      "POWERING_UP", "POWER_UP", "POWER_SAVING", "REBOOT",  "REBOOT_ISSUED", "REBOOT_REQUESTED"};
  return state.usable() && state.base != "PLANNED" && state.base != "COMPLETING" &&
         std::none_of(later.begin(), later.end(), [&](std::string_view flag) { return state.has(flag); });
}

bool has_room(const GpuPlace& place, const Strategy& strategy, bool whole_node) {
  const Node& node = *place.node;
  if (whole_node && (node.cpus_used > 0 || place.used > 0)) return false;
  return place.total - place.used >= strategy.gpus_per_node && node.cpus - node.cpus_used >= strategy.cpus_per_node &&
         node.memory.count - node.memory_used.count >= strategy.memory_per_node.count;
}

/// The first reservation that the job would run into; null when none.
const Reservation* in_the_way(const ClusterIndex& index, const Node& node, std::chrono::seconds time_limit) {
  const auto found = index.reservations.find(node.name);
  if (found == index.reservations.end()) return nullptr;
  const TimePoint now = index.cluster->taken_at;
  const auto hit = std::find_if(found->second.begin(), found->second.end(), [&](const Reservation* reservation) {
    return reservation->start < now + time_limit && reservation->end > now;
  });
  return hit == found->second.end() ? nullptr : *hit;
}

struct Found {
  std::vector<const Node*> free;
  std::vector<const Node*> free_or_reserved;
  bool maintenance = false;
};

Found find_nodes(const ClusterIndex& index, const ModelInPartition& model_in_partition, const Strategy& strategy,
                 const NodeFilter& filter) {
  Found found;
  for (const GpuPlace& place : model_in_partition.places) {
    if (!has_room(place, strategy, model_in_partition.partition->exclusive) || !filter.passes(*place.node)) continue;
    const NodeState& state = place.node->state;
    if (const Reservation* reservation = in_the_way(index, *place.node, strategy.time_limit)) {
      if (!takes_jobs_at_once(without_reservation(state))) continue;
      found.free_or_reserved.push_back(place.node);
      found.maintenance = found.maintenance || contains(reservation->flags, "MAINT");
    } else if (takes_jobs_at_once(state)) {
      found.free.push_back(place.node);
      found.free_or_reserved.push_back(place.node);
    }
  }
  return found;
}

}  // namespace

Wait wait_now(const ClusterIndex& index, const Usage& usage, const Strategy& strategy) {
  Wait wait;
  const Cluster& cluster = *index.cluster;
  const NodeFilter filter(strategy.constraint, strategy.exclude, strategy.nodelist);
  if (!filter.readable() || cluster.unanswered.contains("reservations")) return wait;
  for (const std::string& name : strategy.partitions) {
    const ModelInPartition* model_in_partition = index.find(name, strategy.gpu.name, strategy.gres_type);
    if (model_in_partition == nullptr || !model_in_partition->partition->up) continue;
    if (!within_shared_limits(cluster, usage, *model_in_partition->partition, strategy)) continue;
    const Found found = find_nodes(index, *model_in_partition, strategy, filter);
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
