#include "planner/sharing/tenancy.h"

#include <algorithm>
#include <functional>

namespace rv::planner {

namespace {

bool kept_apart(const Tenancy& job, const Tenancy& other) {
  return (job.exclusive_user || other.exclusive_user) && job.user != other.user;
}

bool may_meet(const Tenancy& job, const Tenancy& other) {
  if (other.whole_node || job.whole_node) return false;
  if (kept_apart(job, other)) return false;
  // A job that shares its CPUs stays off the nodes of those that don't.
  if (job.shares_cpus) return other.shares_cpus;
  // _is_node_busy() with sharing_only.
  return !other.parts_nodes || other.partition == job.partition;
}

/// Slurm keeps the jobs of a partition with OverSubscribe=FORCE:N in N rows, each as wide as the node, and packs the
/// largest first (part_data_build_row_bitmaps()). Jobs of higher tiers narrow all rows.
bool fits_in_a_row(const Tenancy& job, int cpus_wanted, const std::vector<Tenant>& tenants, int total) {
  int width = total;
  std::vector<int> sizes;
  for (const Tenant& one : tenants) {
    if (one.tenancy->partition == job.partition) {
      sizes.push_back(one.cpus);
    } else if (one.tenancy->tier > job.tier) {
      width -= one.cpus;
    }
  }
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::vector<int> rows(static_cast<std::size_t>(job.jobs_per_cpu), 0);
  for (const int size : sizes) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](int used) { return used + size <= total; });
    if (row == rows.end()) return false;
    *row += size;
  }
  return std::any_of(rows.begin(), rows.end(), [&](int used) { return used + cpus_wanted <= width; });
}

}  // namespace

bool may_join(const Tenancy& job, int cpus_wanted, const std::vector<Tenant>& tenants, const NodeCpus& node) {
  int of_partition = 0;
  for (const Tenant& one : tenants) {
    if (!may_meet(job, *one.tenancy)) return false;
    if (one.tenancy->partition == job.partition) of_partition += one.cpus;
  }
  if (job.cpus_per_node > 0 && of_partition + cpus_wanted > job.cpus_per_node) return false;
  if (cpus_wanted <= node.free) return true;
  return job.shares_cpus && job.jobs_per_cpu > 1 && fits_in_a_row(job, cpus_wanted, tenants, node.total);
}

bool belongs_to_another(const Tenancy& job, const std::vector<Tenant>& tenants) {
  return std::any_of(tenants.begin(), tenants.end(), [&](const Tenant& one) { return kept_apart(job, *one.tenancy); });
}

}  // namespace rv::planner
