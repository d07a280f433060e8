#include "planner/cluster/cluster.h"

#include <algorithm>
#include <array>

namespace rv::planner {

namespace {

template <typename Named, typename Name>
const Named* find_by_name(const std::vector<Named>& all, const Name& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

template <std::size_t N>
bool any_of(const NodeState& state, const std::array<std::string_view, N>& flags) {
  return std::any_of(flags.begin(), flags.end(), [&](std::string_view flag) { return state.has(flag); });
}

/// Running or ready, and nobody has taken it out of service.
bool in_service(const NodeState& state) {
  constexpr std::array<std::string_view, 5> working{"IDLE", "MIXED", "ALLOCATED", "COMPLETING", "PLANNED"};
  // DRAINED, DRAINING and FAILING are what sinfo makes of DRAIN and FAIL.
  constexpr std::array<std::string_view, 6> taken_out{"DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING", "INVALID_REG"};
  return std::find(working.begin(), working.end(), state.base) != working.end() && !any_of(state, taken_out);
}

}  // namespace

bool NodeState::has(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

bool NodeState::usable() const {
  constexpr std::array<std::string_view, 3> away{"MAINTENANCE", "MAINT", "NOT_RESPONDING"};
  return in_service(*this) && !any_of(*this, away);
}

bool NodeState::may_return() const {
  // UNKNOWN is Slurm's own word for a node that has not reported since the controller was started.
  return in_service(*this) || (base == "UNKNOWN" && in_service({"IDLE", flags}));
}

bool NodeState::boots_first() const {
  constexpr std::array<std::string_view, 7> switched{"POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN", "POWERING_UP",
                                                     "POWER_UP",     "POWER_SAVING",  "POWER"};
  return any_of(*this, switched);
}

bool Cluster::queue_known() const {
  return !unanswered.contains("jobs") && !unanswered.contains(jobs_of_others);
}

std::map<std::string, int> Cluster::hidden_nodes() const {
  std::map<std::string, int> hidden;
  for (const Partition& partition : partitions) hidden[partition.name] = partition.total_nodes;
  for (const Node& node : nodes) {
    for (const std::string& name : node.partitions) --hidden[name];
  }
  std::erase_if(hidden, [](const auto& entry) { return entry.second <= 0; });
  return hidden;
}

const Partition* Cluster::find_partition(std::string_view name) const {
  return find_by_name(partitions, name);
}
const Qos* Cluster::find_qos(const DatabaseName& name) const {
  return find_by_name(qos, name);
}
const Node* Cluster::find_node(std::string_view name) const {
  return find_by_name(nodes, name);
}

}  // namespace rv::planner
