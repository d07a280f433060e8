#include "planner/replay/model/shape_numbers.h"

#include <algorithm>
#include <set>

#include "base/seeded_random.h"
#include "base/text.h"
#include "planner/cluster/node_filter.h"
#include "planner/replay/model/gpu_pools.h"

namespace rv::planner {

namespace {

bool could_hold(const ReplayNode& node, const Demand& demand, int most_cpus_there) {
  if (!node.open || node.total.cpus < demand.cpus) return false;
  if (node.total.memory < std::max(demand.memory, demand.least_free_memory)) return false;
  if ((demand.whole_node ? node.total.cpus : demand.cpus) > most_cpus_there) return false;
  return demand.gpus == 0 || gpus_in(node.total, pools_for(node, demand)) >= demand.gpus;
}

/// The most CPUs that jobs of this tenancy may have on a node of so many.
int most_cpus_on(const ReplayModel& model, const Demand& demand, const ReplayNode& node) {
  const int bound = demand.tenancy < 0 ? 0 : model.tenancies[demand.tenancy].cpus_per_node;
  return bound > 0 ? bound : node.total.cpus;
}

}  // namespace

std::size_t ShapeNumbers::ShapeHash::operator()(const ShapeKey& key) const {
  const auto pair = [](int high, int low) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32U) | static_cast<std::uint32_t>(low);
  };
  return mixed(pair(key.partition, key.demand), pair(key.nodes, key.filter));
}

ShapeNumbers::ShapeNumbers(const Cluster& cluster, ReplayModel& model,
                           const std::unordered_map<std::string_view, int>& nodes, LeftOut& left_out)
    : cluster_(cluster), model_(model), node_numbers_(nodes), left_out_(left_out) {}

int ShapeNumbers::filter_number(const NodeConstraints& filter) {
  const bool any_node = filter.features.empty() && filter.excluded.empty() && filter.required.empty();
  if (any_node && filter.reservation < 0 && filter.top_switch.empty()) return 0;
  std::string key = filter.features + '\n' + std::to_string(filter.reservation) + '\n' + listed(filter.excluded) +
                    '\n' + listed(filter.required) + '\n' + filter.top_switch;
  const int next = static_cast<int>(filter_numbers_.size()) + 1;  // 0: any node
  return filter_numbers_.try_emplace(std::move(key), next).first->second;
}

int ShapeNumbers::demand_number(const Demand& demand) {
  const auto [at, fresh] = demand_numbers_.try_emplace(demand, static_cast<int>(model_.demands.size()));
  if (fresh) model_.demands.push_back(demand);
  return at->second;
}

const std::vector<std::string>& ShapeNumbers::islands(int partition, int nodes) {
  static const std::vector<std::string> anywhere{""};
  if (nodes < 2) return anywhere;
  islands_.resize(model_.partitions.size());
  std::vector<std::string>& names = islands_[partition];
  if (names.empty()) {
    std::set<std::string_view> found;
    for (const int number : model_.partition_nodes[partition]) found.insert(cluster_.nodes[number].top_switch);
    names.assign(found.begin(), found.end());
  }
  return names.size() < 2 ? anywhere : names;
}

int ShapeNumbers::shape(int partition, const Demand& demand, int nodes, const NodeConstraints& filter) {
  const ShapeKey key{partition, demand_number(demand), nodes, filter_number(filter)};
  const auto [at, fresh] = shape_numbers_.try_emplace(key, static_cast<int>(model_.shapes.size()));
  if (!fresh) return at->second;

  Shape made = new_shape(partition, demand, nodes, filter);
  made.demand = key.demand;
  if (filter.reservation < 0) {
    // The same nodes in another partition are the same nodes: what is found out of one holds for the other.
    std::vector<int>& alike = shapes_by_request_[{made.demand, nodes}];
    for (const int number : alike) {
      const Shape& other = model_.shapes[number];
      if (other.places == made.places && other.required == made.required) return at->second = number;
    }
    alike.push_back(at->second);
  }
  model_.places += made.places.size();
  model_.shapes.push_back(std::move(made));
  return at->second;
}

/// The nodes of the partition that pass the filter and could hold the job's part if they were empty.
Shape ShapeNumbers::new_shape(int partition, const Demand& demand, int nodes, const NodeConstraints& filter) {
  const NodeFilter narrow(filter.features, filter.excluded, {});
  if (!narrow.node_by_node()) left_out_.add("kind* of job with features for several nodes");
  const bool any_node = filter.features.empty() && filter.excluded.empty();
  std::set<int> required;
  for (const std::string& name : filter.required) {
    if (const auto node = node_numbers_.find(name); node != node_numbers_.end()) required.insert(node->second);
  }
  // Where fewer nodes are required than wanted, the others may be any.
  const bool only_required = static_cast<int>(filter.required.size()) >= nodes;
  const auto in_reservation = [&](int number) {
    const auto& times = model_.reserved_times[number];
    return std::any_of(times.begin(), times.end(),
                       [&](const ReservedTime& one) { return one.reservation == filter.reservation; });
  };
  Shape made;
  made.nodes = nodes;
  made.first = model_.places;
  for (const int number : model_.partition_nodes[partition]) {
    const ReplayNode& node = model_.nodes[number];
    if (!could_hold(node, demand, most_cpus_on(model_, demand, node))) continue;
    if (!filter.top_switch.empty() && cluster_.nodes[number].top_switch != filter.top_switch) continue;
    if (only_required && !filter.required.empty() && !required.contains(number)) continue;
    if (!any_node && !narrow.passes(cluster_.nodes[number])) continue;
    if (filter.reservation >= 0 && !in_reservation(number)) continue;
    made.places.push_back(number);
    if (!only_required && required.contains(number)) made.required.push_back(number);
  }
  if (!only_required && made.required.size() < filter.required.size()) made.places.clear();
  return made;
}

}  // namespace rv::planner
