#include "planner/replay/model/shared_limits.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "planner/cluster/limits.h"
#include "planner/cluster/qos_order.h"
#include "planner/slurm_words/job_reason.h"

namespace rv::planner {

namespace {

enum Resource { cpu, memory, node, gpu, first_type };

void collect_types(const Tres& tres, std::set<DatabaseName>& names) {
  for (const auto& [name, value] : tres) {
    if (name.starts_with(typed_gpu)) names.insert(name.substr(typed_gpu.size()));
  }
}

/// The place in SharedLimit::most of a limit's resource; -1: the number of jobs.
int place_of(ReasonResource resource) {
  if (resource == ReasonResource::gpus) return gpu;
  if (resource == ReasonResource::memory) return memory;
  if (resource == ReasonResource::cpus) return cpu;
  if (resource == ReasonResource::nodes) return node;
  return -1;
}

std::string user_key(const DatabaseName& user, const DatabaseName& account) {
  return "user\n" + user.key() + '\n' + account.key();
}

}  // namespace

SharedLimits::SharedLimits(const Cluster& cluster, std::vector<DatabaseName>& types)
    : cluster_(cluster), types_(types), enforced_(enforces(cluster.controller, "limits")) {
  std::set<DatabaseName> names;
  for (const Qos& qos : cluster.qos) {
    qos_[qos.name] = &qos;
    for (const Tres* tres : {&qos.group_tres, &qos.max_tres_per_user, &qos.max_tres_per_account}) {
      collect_types(*tres, names);
    }
  }
  for (const Association& one : cluster.associations) collect_types(one.group_tres, names);
  for (const DatabaseName& name : names) {
    if (std::find(types_.begin(), types_.end(), name) == types_.end()) types_.push_back(name);
  }
  for (const Partition& partition : cluster.partitions) qos_of_partition_[partition.name] = partition.qos;
}

int SharedLimits::add(const std::string& key, const Tres& tres, std::optional<int> jobs) {
  const auto [at, fresh] = numbers_.try_emplace(key, static_cast<int>(limits_.size()));
  if (!fresh) return at->second;
  SharedLimit limit;
  limit.most.assign(first_type + types_.size(), -1);
  limit.used.assign(limit.most.size(), 0);
  limit.most_jobs = jobs.value_or(-1);
  for (const auto& [name, amount] : tres) {
    if (name == DatabaseName("cpu")) limit.most[cpu] = amount;
    if (name == DatabaseName("mem")) limit.most[memory] = amount;
    if (name == DatabaseName("node")) limit.most[node] = amount;
    if (name == DatabaseName("gres/gpu")) limit.most[gpu] = amount;
    if (!name.starts_with(typed_gpu)) continue;
    const auto type = std::find(types_.begin(), types_.end(), name.substr(typed_gpu.size()));
    limit.most[first_type + (type - types_.begin())] = amount;
  }
  limits_.push_back(std::move(limit));
  return at->second;
}

const Qos* SharedLimits::find_qos(const DatabaseName& name) const {
  const auto found = qos_.find(name);
  return name.empty() || found == qos_.end() ? nullptr : found->second;
}

const Qos* SharedLimits::qos_of_all(const std::vector<std::string>& partitions) const {
  const Qos* all = nullptr;
  for (const std::string& partition : partitions) {
    const auto own = qos_of_partition_.find(partition);
    const Qos* qos = own == qos_of_partition_.end() ? nullptr : find_qos(own->second);
    if (qos == nullptr || (all != nullptr && all != qos)) return nullptr;
    all = qos;
  }
  return all;
}

void SharedLimits::add_qos(std::vector<int>& into, const Qos& qos, const std::string& name, const DatabaseName& user,
                           const DatabaseName& account) {
  if (!qos.group_tres.empty()) into.push_back(add("qos\n" + name, qos.group_tres, std::nullopt));
  if (!qos.max_tres_per_user.empty() || qos.max_jobs_per_user) {
    into.push_back(add("qos of user\n" + name + '\n' + user.key(), qos.max_tres_per_user, qos.max_jobs_per_user));
  }
  if (!qos.max_tres_per_account.empty()) {
    into.push_back(add("qos of account\n" + name + '\n' + account.key(), qos.max_tres_per_account, std::nullopt));
  }
}

std::vector<int> SharedLimits::of(const DatabaseName& user, const DatabaseName& account, const DatabaseName& qos,
                                  const std::vector<std::string>& partitions) {
  std::vector<int> numbers;
  if (!enforced_) return numbers;
  const Qos* of_partition = qos_of_all(partitions);
  const auto [first, second] = qos_in_order(of_partition, find_qos(qos));
  Tres bounded;
  bool jobs_bounded = false;
  if (first != nullptr) add_qos(numbers, *first, first->name.key(), user, account);
  if (first != nullptr && of_partition != nullptr) {
    bounded = first->group_tres;
    jobs_bounded = first->max_jobs_per_user.has_value();
  }
  if (second != nullptr && second != first) {
    // Where nothing is taken away, its limits are those that jobs of other partitions meet, too.
    const Qos left = first == nullptr ? *second : without_limits_of(*first, *second);
    const bool whole = left.group_tres == second->group_tres && left.max_tres_per_user == second->max_tres_per_user &&
                       left.max_tres_per_account == second->max_tres_per_account &&
                       left.max_jobs_per_user == second->max_jobs_per_user;
    add_qos(numbers, left, whole ? second->name.key() : second->name.key() + "\nunder " + first->name.key(), user,
            account);
  }
  if (of_partition == nullptr) {
    for (const std::string& partition : partitions) {
      const auto own = qos_of_partition_.find(partition);
      const Qos* one = own == qos_of_partition_.end() ? nullptr : find_qos(own->second);
      if (one != nullptr && one->name != qos) add_qos(numbers, *one, one->name.key(), user, account);
    }
  }
  if (user == cluster_.user) {
    for (const Association& one : cluster_.associations) {
      if (one.account != account || (one.group_tres.empty() && !one.max_jobs)) continue;
      const Tres group = not_in(bounded, one.group_tres);
      const auto jobs = jobs_bounded ? std::nullopt : one.max_jobs;
      const bool whole = group == one.group_tres && jobs == one.max_jobs;
      if (group.empty() && !jobs) continue;
      numbers.push_back(add("own\n" + one.account.key() + (whole ? "" : "\nunder " + first->name.key()), group, jobs));
    }
  }
  if (!inferred_.empty()) {
    for (const std::string& key :
         {user_key(user, account), "account\n" + account.key(), "inferred qos\n" + qos.key()}) {
      if (const auto found = numbers_.find(key); found != numbers_.end()) numbers.push_back(found->second);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void SharedLimits::infer_from(const QueuedJob& job) {
  const JobReason reason = job_reason(job.reason);
  if (reason.kind != ReasonClass::limit || reason.limit != LimitKind::shared) return;
  const bool qos_unknown = cluster_.qos.empty() || cluster_.unanswered.contains("qos");
  if (!reason.of_association && !qos_unknown) return;
  std::string key = user_key(job.user, job.account);
  if (reason.owner == LimitOwner::account) key = "account\n" + job.account.key();
  if (reason.owner == LimitOwner::qos) key = "inferred qos\n" + job.qos.key();
  inferred_.push_back({add(key, {}, std::nullopt), place_of(reason.resource)});
}

std::vector<std::int64_t> SharedLimits::amounts(const Tres& tres, int nodes, int cpus) const {
  std::vector<std::int64_t> each(first_type + types_.size(), 0);
  each[cpu] = std::max<std::int64_t>(amount(tres, "cpu").value_or(0), cpus);
  each[memory] = amount(tres, "mem").value_or(0);
  each[node] = nodes;
  each[gpu] = gpu_count(tres);
  for (auto it = tres.lower_bound(typed_gpu); it != tres.end() && it->first.starts_with(typed_gpu); ++it) {
    const auto type = std::find(types_.begin(), types_.end(), it->first.substr(typed_gpu.size()));
    if (type != types_.end()) each[first_type + (type - types_.begin())] = it->second;
  }
  return each;
}

std::vector<SharedLimit> SharedLimits::take() {
  for (const Inferred& one : inferred_) {
    SharedLimit& limit = limits_[one.limit];
    if (one.resource < 0) {
      limit.most_jobs = limit.jobs;
    } else {
      limit.most[one.resource] = limit.used[one.resource];
    }
  }
  return std::move(limits_);
}

}  // namespace rv::planner
