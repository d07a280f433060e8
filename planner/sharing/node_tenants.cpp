#include "planner/sharing/node_tenants.h"

#include <algorithm>
#include <tuple>

#include "planner/slurm_words/release.h"

namespace rv::planner {

int cpus_on_each_node(const QueuedJob& job) {
  const std::int64_t total = std::max<std::int64_t>(job.cpus, amount(job.requested, "cpu").value_or(0));
  const int nodes = std::max(job.nodes, 1);
  return static_cast<int>((total + nodes - 1) / nodes);
}

bool holds_nodes(const QueuedJob& job) {
  return job.state != "PENDING" && !job.node_names.empty();
}

bool same_sharing(const Partition& one, const Partition& other) {
  const auto rules = [](const Partition& partition) {
    return std::tie(partition.exclusive, partition.exclusive_user, partition.jobs_per_cpu, partition.forced_sharing,
                    partition.max_cpus_per_node);
  };
  return rules(one) == rules(other);
}

namespace {

/// Whether a partition that lets several jobs have a CPU keeps other partitions' jobs off its nodes, even with jobs
/// that don't share. From 23.11.7 on Slurm asks whether one of the jobs shares (_is_job_sharing() in
/// cons_tres/job_test.c).
bool parts_nodes_by_partition(const std::string& version) {
  return version.starts_with("23.11.") ? version < "23.11.7" && version.size() < 8 : release_of(version) < 2311;
}

}  // namespace

SharingRules::SharingRules(const Cluster& cluster)
    : cluster_(cluster), parts_by_partition_(parts_nodes_by_partition(cluster.controller.version)) {
  users_[cluster.user] = 0;
  for (const Partition& one : cluster.partitions) {
    of_users_ = of_users_ || one.exclusive_user;
    sharing_ = sharing_ || one.jobs_per_cpu > 1 || one.forced_sharing;
  }
  for (const QueuedJob& job : cluster.jobs) of_users_ = of_users_ || job.exclusive_user;
  sharing_ = sharing_ || of_users_;
}

bool SharingRules::apply_to(const Partition& partition) const {
  return sharing_ || partition.max_cpus_per_node;
}

Tenancy SharingRules::of(const Partition& partition) const {
  Tenancy tenancy;
  tenancy.partition = static_cast<int>(&partition - cluster_.partitions.data());
  if (of_users_) tenancy.user = 0;
  tenancy.tier = partition.priority_tier;
  tenancy.jobs_per_cpu = partition.jobs_per_cpu;
  tenancy.cpus_per_node = partition.max_cpus_per_node.value_or(0);
  tenancy.shares_cpus = partition.forced_sharing;
  tenancy.parts_nodes = partition.jobs_per_cpu > 1 && (partition.forced_sharing || parts_by_partition_);
  tenancy.exclusive_user = partition.exclusive_user;
  tenancy.whole_node = partition.exclusive;
  return tenancy;
}

Tenancy SharingRules::of(const Partition& partition, const QueuedJob& job) {
  Tenancy tenancy = of(partition);
  if (of_users_) tenancy.user = number_of(job.user);
  tenancy.shares_cpus = partition.forced_sharing || (partition.jobs_per_cpu > 1 && job.oversubscribe);
  tenancy.parts_nodes = partition.jobs_per_cpu > 1 && (tenancy.shares_cpus || parts_by_partition_);
  tenancy.exclusive_user = tenancy.exclusive_user || job.exclusive_user;
  tenancy.whole_node = tenancy.whole_node || job.exclusive;
  return tenancy;
}

int SharingRules::number_of(const DatabaseName& user) {
  return users_.try_emplace(user, static_cast<int>(users_.size())).first->second;
}

NodeTenants::NodeTenants(const Cluster& cluster) : cluster_(cluster), rules_(cluster), known_(cluster.queue_known()) {
  const bool any = std::any_of(cluster.partitions.begin(), cluster.partitions.end(),
                               [&](const Partition& one) { return rules_.apply_to(one); });
  if (!any) return;
  tenancies_.reserve(cluster.jobs.size());
  for (const QueuedJob& job : cluster.jobs) {
    const Partition* in = job.partitions.empty() ? nullptr : cluster.find_partition(job.partitions.front());
    if (in == nullptr || !holds_nodes(job)) continue;
    tenancies_.push_back(rules_.of(*in, job));
    for (const std::string& node : job.node_names) {
      tenants_[node].push_back({&tenancies_.back(), cpus_on_each_node(job)});
    }
  }
}

bool NodeTenants::may_join(const Node& node, const Partition& partition, int cpus) const {
  const NodeCpus have{node.cpus, node.cpus - node.cpus_used};
  if (!rules_.apply_to(partition)) return cpus <= have.free;
  if (!known_ && node.cpus_used > 0) {
    // The node's own word is enough where only users are kept apart.
    const bool own = partition.exclusive_user && node.owner == cluster_.user;
    return own && !partition.max_cpus_per_node && cpus <= have.free;
  }
  const auto found = tenants_.find(node.name);
  static const std::vector<Tenant> nobody;
  return planner::may_join(rules_.of(partition), cpus, found == tenants_.end() ? nobody : found->second, have);
}

}  // namespace rv::planner
