// The running jobs of each node (its tenants), for the rules about jobs that share a node.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/sharing/tenancy.h"

namespace rv::planner {

/// The CPUs of a queued or running job on each of its nodes: its total divided by the nodes, rounded up.
int cpus_on_each_node(const QueuedJob& job);

/// Whether the job has nodes.
bool holds_nodes(const QueuedJob& job);

/// Whether both partitions have the same rules about jobs that share a node.
bool same_sharing(const Partition& one, const Partition& other);

/// Rules of partitions about jobs that share a node: OverSubscribe, ExclusiveUser, MaxCPUsPerNode. For other partitions
/// only free CPUs matter, and nothing is stored here.
class SharingRules {
 public:
  explicit SharingRules(const Cluster& cluster);

  /// False if a job of this partition may join any other jobs on a node whose resources are free.
  bool apply_to(const Partition& partition) const;

  /// The sharing rules of a job that rv's user submits to this partition.
  Tenancy of(const Partition& partition) const;
  /// The sharing rules of this job in one of its partitions. rv's user has the number 0.
  Tenancy of(const Partition& partition, const QueuedJob& job);

 private:
  int number_of(const DatabaseName& user);

  const Cluster& cluster_;
  bool sharing_ = false;  // a partition or job shares nodes, or is for one user only
  bool of_users_ = false;
  bool parts_by_partition_ = false;
  std::unordered_map<DatabaseName, int> users_;
};

/// The running jobs of each node. Created once per plan.
class NodeTenants {
 public:
  explicit NodeTenants(const Cluster& cluster);

  const SharingRules& rules() const { return rules_; }

  /// Whether CPUs and other jobs allow a job of rv's user in this partition to join the running jobs of the node now.
  /// False if a rule would decide and the jobs are not known.
  bool may_join(const Node& node, const Partition& partition, int cpus) const;

 private:
  const Cluster& cluster_;
  SharingRules rules_;
  bool known_ = true;
  std::vector<Tenancy> tenancies_;                                     // of the running jobs; tenants_ points into it
  std::unordered_map<std::string_view, std::vector<Tenant>> tenants_;  // by node
};

}  // namespace rv::planner
