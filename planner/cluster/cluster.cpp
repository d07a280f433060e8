#include "planner/cluster/cluster.h"

#include <algorithm>

namespace rv::planner {

namespace {

template <typename Named, typename Name>
const Named* find_by_name(const std::vector<Named>& all, const Name& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

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

const Association* Cluster::find_association(const DatabaseName& account, std::string_view partition) const {
  const Association* general = nullptr;
  for (const Association& one : associations) {
    if (one.account != account) continue;
    if (one.partition == partition) return &one;
    if (one.partition.empty() && general == nullptr) general = &one;
  }
  return general;
}

std::vector<const Account*> Cluster::accounts_from(const DatabaseName& account) const {
  std::vector<const Account*> chain;
  for (const Account* one = find_by_name(accounts, account); one != nullptr;
       one = find_by_name(accounts, one->parent)) {
    // A damaged answer may hold a circle.
    if (std::find(chain.begin(), chain.end(), one) != chain.end()) break;
    chain.push_back(one);
  }
  return chain;
}

}  // namespace rv::planner
