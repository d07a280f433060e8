// How a job shares its nodes with other jobs, as select/cons_tres decides it.
#pragma once

#include <compare>
#include <vector>

namespace rv::planner {

/// The rules that a job brings to its nodes: its partition's, and its own options'.
struct Tenancy {
  int partition = -1;           // number
  int user = -1;                // number; -1: no partition or job here is for one user only
  int tier = 1;                 // PriorityTier
  int jobs_per_cpu = 1;         // OverSubscribe=YES:N, FORCE:N
  int cpus_per_node = 0;        // MaxCPUsPerNode, of all jobs of the partition together; 0: no limit
  bool shares_cpus = false;     // in a FORCE partition, or with --oversubscribe in a YES one
  bool parts_nodes = false;     // jobs of other partitions that don't share stay off its nodes
  bool exclusive_user = false;  // ExclusiveUser=YES, --exclusive=user
  bool whole_node = false;
  auto operator<=>(const Tenancy&) const = default;
};

/// A job on a node.
struct Tenant {
  const Tenancy* tenancy = nullptr;
  int cpus = 0;  // that it has there
};

struct NodeCpus {
  int total = 0;
  int free = 0;  // that no job has
};

/// Whether a job that needs this number of CPUs can join the tenants of a node. The rules are those of
/// _verify_node_state() and cr_job_test() in src/plugins/select/cons_tres/job_test.c, and of filter_by_node_owner() in
/// src/slurmctld/node_scheduler.c.
bool may_join(const Tenancy& job, int cpus_wanted, const std::vector<Tenant>& tenants, const NodeCpus& node);

/// Whether one of the tenants keeps the job's user from the node, or the job keeps other users from it. Up to 24.05
/// backfill plans no start on such a node, however far ahead (filter_by_node_owner()).
bool belongs_to_another(const Tenancy& job, const std::vector<Tenant>& tenants);

}  // namespace rv::planner
