#include "planner/cluster/usage.h"

#include <algorithm>
#include <set>

#include "planner/cluster/admission.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/qos_order.h"

namespace rv::planner {

namespace {

void add(Usage::Sum& sum, const QueuedJob& job) {
  for (const auto& [name, amount] : job.requested) sum.tres[name] += amount;
  ++sum.jobs;
}

std::int64_t part_of(const Tres& tres, const DatabaseName& name) {
  return name == DatabaseName("gres/gpu") ? gpu_count(tres) : amount(tres, name).value_or(0);
}

Tres wanted_by(const Strategy& strategy) {
  Tres job{{"node", strategy.nodes},
           {"cpu", std::int64_t{strategy.nodes} * strategy.cpus_per_node},
           {"mem", strategy.nodes * strategy.memory_per_node.count},
           {"gres/gpu", strategy.gpus()}};
  if (!strategy.gres_type.empty()) job["gres/gpu:" + strategy.gres_type] = strategy.gpus();
  return job;
}

bool fits(const Tres& limit, const std::map<DatabaseName, Usage::Sum>& sums, const DatabaseName& whose, const Tres& job,
          bool jobs_known) {
  if (limit.empty()) return true;
  if (!jobs_known) return false;
  const auto found = sums.find(whose);
  const Tres used = found == sums.end() ? Tres{} : found->second.tres;
  return std::all_of(limit.begin(), limit.end(),
                     [&](const auto& one) { return part_of(used, one.first) + part_of(job, one.first) <= one.second; });
}

bool fits_jobs(std::optional<int> limit, const std::map<DatabaseName, Usage::Sum>& sums, const DatabaseName& whose,
               bool jobs_known) {
  if (!limit) return true;
  if (!jobs_known) return false;
  const auto found = sums.find(whose);
  return (found == sums.end() ? 0 : found->second.jobs) < *limit;
}

}  // namespace

Usage measure_usage(const Cluster& cluster) {
  std::map<std::string, DatabaseName> qos_of_partition;
  for (const Partition& partition : cluster.partitions) {
    if (!partition.qos.empty()) qos_of_partition[partition.name] = partition.qos;
  }
  Usage usage;
  for (const QueuedJob& job : cluster.jobs) {
    if (job.state == "PENDING") continue;
    std::set<DatabaseName> names;
    if (!job.qos.empty()) names.insert(job.qos);
    for (const std::string& partition : job.partitions) {
      if (const auto own = qos_of_partition.find(partition); own != qos_of_partition.end()) names.insert(own->second);
    }
    const bool mine = job.user == cluster.user;
    for (const DatabaseName& name : names) {
      add(usage.of_qos[name], job);
      if (mine) add(usage.of_user_and_qos[name], job);
    }
    if (mine) add(usage.of_user_and_account[job.account], job);
  }
  return usage;
}

bool within_shared_limits(const Cluster& cluster, const Usage& usage, const Partition& partition,
                          const Strategy& strategy) {
  if (!enforces(cluster.controller, "limits")) return true;
  Request request;
  request.account = strategy.account;
  request.qos = strategy.qos;
  const Admission admission = admit(cluster, partition, request);
  const bool known = !cluster.unanswered.contains("jobs");
  const Tres job = wanted_by(strategy);
  const auto [first, second] =
      qos_in_order(partition.qos.empty() ? nullptr : cluster.find_qos(partition.qos), admission.job_qos);
  const Qos none;
  const Qos left = second == nullptr ? none : without_limits_of(first == nullptr ? none : *first, *second);
  for (const Qos* qos : {first, second == nullptr || second == first ? nullptr : &left}) {
    if (qos == nullptr) continue;
    const bool free = fits(qos->max_tres_per_user, usage.of_user_and_qos, qos->name, job, known) &&
                      fits(qos->group_tres, usage.of_qos, qos->name, job, known) &&
                      fits_jobs(qos->max_jobs_per_user, usage.of_user_and_qos, qos->name, known);
    if (!free) return false;
  }
  const Association* mine = admission.association;
  if (mine == nullptr) return true;
  const Tres group =
      not_in(left.group_tres, first == nullptr ? mine->group_tres : not_in(first->group_tres, mine->group_tres));
  const bool jobs_bounded = (first != nullptr && first->max_jobs_per_user) || left.max_jobs_per_user;
  return fits(group, usage.of_user_and_account, mine->account, job, known) &&
         (jobs_bounded || fits_jobs(mine->max_jobs, usage.of_user_and_account, mine->account, known));
}

}  // namespace rv::planner
