#include "planner/cluster/usage.h"

#include <algorithm>

#include "planner/cluster/admission.h"
#include "planner/cluster/cost.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/qos_order.h"

namespace rv::planner {

namespace {

std::string counter_of(const Account& account) {
  return "account\n" + account.name.key();
}

bool has_limits(const Account& account) {
  return !account.group_tres.empty() || account.group_jobs;
}

bool limits_nodes(const Tres& limit) {
  return limit.contains("node");
}

/// The counters of a QOS that has a limit there. `bounds`: those of its limits that bound the job.
void add_counters(std::vector<SharedBound>& into, const Qos& qos, const Qos& bounds, const DatabaseName& user,
                  const DatabaseName& account) {
  const auto add = [&](const std::string& counter, Tres Qos::*tres, std::optional<int> Qos::*jobs) {
    if ((qos.*tres).empty() && !(qos.*jobs)) return;
    into.push_back({counter, bounds.*tres, bounds.*jobs, limits_nodes(qos.*tres)});
  };
  const std::string name = qos.name.key();
  add("qos\n" + name, &Qos::group_tres, &Qos::group_jobs);
  add("qos of user\n" + name + '\n' + user.key(), &Qos::max_tres_per_user, &Qos::max_jobs_per_user);
  add("qos of account\n" + name + '\n' + account.key(), &Qos::max_tres_per_account, &Qos::max_jobs_per_account);
}

std::int64_t part_of(const Tres& tres, const DatabaseName& name) {
  return name == DatabaseName("gres/gpu") ? gpu_count(tres) : amount(tres, name).value_or(0);
}

/// What is used of a counter of an account, whose use the controller reports as well: PrivateData may hide jobs.
std::int64_t used_of(const Usage::Sum& sum, const Account* account, const DatabaseName& tres) {
  const std::int64_t seen =
      tres == DatabaseName("node") ? static_cast<std::int64_t>(sum.nodes.size()) : part_of(sum.tres, tres);
  return account == nullptr ? seen : std::max(seen, part_of(account->used_tres, tres));
}

}  // namespace

SharedBounds::SharedBounds(const Cluster& cluster)
    : cluster_(cluster), enforced_(enforces(cluster.controller, "limits")) {
  for (const Qos& qos : cluster.qos) qos_[qos.name] = &qos;
  for (const Partition& partition : cluster.partitions) qos_of_partition_[partition.name] = partition.qos;
  for (const Account& account : cluster.accounts) {
    if (has_limits(account)) accounts_[counter_of(account)] = &account;
  }
}

const Qos* SharedBounds::find_qos(const DatabaseName& name) const {
  const auto found = qos_.find(name);
  return name.empty() || found == qos_.end() ? nullptr : found->second;
}

const Qos* SharedBounds::qos_of_all(const std::vector<std::string>& partitions) const {
  const Qos* all = nullptr;
  for (const std::string& partition : partitions) {
    const auto own = qos_of_partition_.find(partition);
    const Qos* qos = own == qos_of_partition_.end() ? nullptr : find_qos(own->second);
    if (qos == nullptr || (all != nullptr && all != qos)) return nullptr;
    all = qos;
  }
  return all;
}

const std::vector<const Account*>& SharedBounds::limited_from(const DatabaseName& account) const {
  const auto [at, fresh] = limited_from_.try_emplace(account);
  if (fresh && !accounts_.empty()) {
    at->second = cluster_.accounts_from(account);
    std::erase_if(at->second, [](const Account* one) { return !has_limits(*one); });
  }
  return at->second;
}

bool SharedBounds::knows_limits_of(const DatabaseName& account) const {
  const auto is_it = [&](const Account* one) { return one->name == account; };
  return std::any_of(cluster_.associations.begin(), cluster_.associations.end(), [&](const Association& own) {
    const auto above = cluster_.accounts_from(own.account);
    return std::any_of(above.begin(), above.end(), is_it);
  });
}

std::vector<SharedBound> SharedBounds::of(const DatabaseName& user, const DatabaseName& account,
                                          const DatabaseName& qos, const std::vector<std::string>& partitions) const {
  std::vector<SharedBound> bounds;
  if (!enforced_) return bounds;
  const Qos* of_partition = qos_of_all(partitions);
  const auto [first, second] = qos_in_order(of_partition, find_qos(qos));
  const Qos none;
  const Qos& before = first == nullptr ? none : *first;
  const Qos left = second == nullptr || second == first ? none : without_limits_of(before, *second);
  if (first != nullptr) add_counters(bounds, *first, *first, user, account);
  if (second != nullptr && second != first) add_counters(bounds, *second, left, user, account);
  if (of_partition == nullptr) {
    for (const std::string& partition : partitions) {
      const auto own = qos_of_partition_.find(partition);
      const Qos* one = own == qos_of_partition_.end() ? nullptr : find_qos(own->second);
      if (one != nullptr && one->name != qos) add_counters(bounds, *one, *one, user, account);
    }
  }
  const auto unbound = [&](const Tres& tres) { return not_in(left.group_tres, not_in(before.group_tres, tres)); };
  const bool group_jobs_bound = before.group_jobs || left.group_jobs;
  const bool jobs_bound =
      before.max_jobs_per_user || left.max_jobs_per_user || before.max_jobs_per_account || left.max_jobs_per_account;
  if (user == cluster_.user) {
    std::set<const Association*> own;
    for (const std::string& partition : partitions) own.insert(cluster_.find_association(account, partition));
    own.erase(nullptr);
    for (const Association* one : own) {
      if (one->group_tres.empty() && !one->max_jobs && !one->group_jobs) continue;
      SharedBound bound{"own\n" + one->account.key() + '\n' + one->partition, unbound(one->group_tres), std::nullopt,
                        limits_nodes(one->group_tres)};
      if (!jobs_bound) bound.most_jobs = one->max_jobs;
      if (!group_jobs_bound && one->group_jobs) {
        bound.most_jobs = std::min(bound.most_jobs.value_or(*one->group_jobs), *one->group_jobs);
      }
      bounds.push_back(std::move(bound));
    }
  }
  for (const Account* one : limited_from(account)) {
    bounds.push_back({counter_of(*one), unbound(one->group_tres), group_jobs_bound ? std::nullopt : one->group_jobs,
                      limits_nodes(one->group_tres)});
  }
  return bounds;
}

bool counts_as_running(const QueuedJob& job) {
  return job.state != "PENDING" && job.state != "COMPLETING";
}

Usage measure_usage(const Cluster& cluster) {
  Usage usage(cluster);
  for (const QueuedJob& job : cluster.jobs) {
    if (!counts_as_running(job)) continue;
    for (const SharedBound& bound : usage.bounds.of(job.user, job.account, job.qos, job.partitions)) {
      Usage::Sum& sum = usage.by_counter[bound.counter];
      for (const auto& [name, amount] : job.requested) sum.tres[name] += amount;
      if (bound.counts_nodes) sum.nodes.insert(job.node_names.begin(), job.node_names.end());
      ++sum.jobs;
    }
  }
  return usage;
}

bool within_shared_limits(const Cluster& cluster, const Usage& usage, const Partition& partition,
                          const Strategy& strategy) {
  const SharedBounds& bounds = usage.bounds;
  if (!bounds.enforced()) return true;
  const JobRights rights = rights_of(cluster, strategy, partition);
  const Tres job = tres_of(strategy, partition, cluster.controller);
  for (const SharedBound& bound : bounds.of(cluster.user, rights.account, rights.qos, {partition.name})) {
    if (bound.most.empty() && !bound.most_jobs) continue;
    if (cluster.unanswered.contains("jobs")) return false;
    const auto found = usage.by_counter.find(bound.counter);
    const Usage::Sum sum = found == usage.by_counter.end() ? Usage::Sum() : found->second;
    const auto of_account = bounds.accounts().find(bound.counter);
    const Account* account = of_account == bounds.accounts().end() ? nullptr : of_account->second;
    if (bound.most_jobs && std::max(sum.jobs, account == nullptr ? 0 : account->used_jobs) >= *bound.most_jobs) {
      return false;
    }
    const bool fits = std::all_of(bound.most.begin(), bound.most.end(), [&](const auto& most) {
      return used_of(sum, account, most.first) + part_of(job, most.first) <= most.second;
    });
    if (!fits) return false;
  }
  return true;
}

}  // namespace rv::planner
