// The rules by which select/cons_tres lets jobs share a node.
#pragma once

#include <compare>
#include <vector>

namespace rv::planner {

/// The rules for the nodes of one job, from its partition and its own options.
struct Tenancy {
  int partition = -1;           // number of the partition
  int user = -1;                // number of the user; -1: no partition or job is for one user only
  int tier = 1;                 // PriorityTier
  int jobs_per_cpu = 1;         // OverSubscribe=YES:N, FORCE:N
  int cpus_per_node = 0;        // MaxCPUsPerNode, for all jobs of the partition together; 0: no limit
  bool shares_cpus = false;     // in a FORCE partition, or with --oversubscribe in a YES one
  bool parts_nodes = false;     // jobs of other partitions that don't share can't use its nodes
  bool exclusive_user = false;  // ExclusiveUser=YES, --exclusive=user
  bool whole_node = false;
  auto operator<=>(const Tenancy&) const = default;
};

/// A job on a node.
struct Tenant {
  const Tenancy* tenancy = nullptr;
  int cpus = 0;  // CPUs of the node that the job has
};

struct NodeCpus {
  int total = 0;
  int free = 0;  // CPUs that no job has
};

/// Whether a job that needs this number of CPUs can join the tenants of a node. The rules are those of
/// _verify_node_state() and cr_job_test() in src/plugins/select/cons_tres/job_test.c, and of filter_by_node_owner() in
/// src/slurmctld/node_scheduler.c.
bool may_join(const Tenancy& job, int cpus_wanted, const std::vector<Tenant>& tenants, const NodeCpus& node);

/// Whether a tenant reserves the node for another user, or the job would reserve it for its own. Up to 24.05 backfill
/// plans no start on such a node, at any time (filter_by_node_owner()).
bool belongs_to_another(const Tenancy& job, const std::vector<Tenant>& tenants);

}  // namespace rv::planner
