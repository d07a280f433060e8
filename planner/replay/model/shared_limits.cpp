#include "planner/replay/model/shared_limits.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "planner/slurm_words/job_reason.h"

namespace rv::planner {

namespace {

using ResourceIndex = LimitCounter::ResourceIndex;

void collect_types(const Tres& tres, std::set<DatabaseName>& names) {
  for (const auto& [name, value] : tres) {
    if (name.starts_with(typed_gpu)) names.insert(name.substr(typed_gpu.size()));
  }
}

/// The place in SharedLimit::most of a limit's resource; -1: the number of jobs.
int index_of(ReasonResource resource) {
  if (resource == ReasonResource::gpus) return ResourceIndex::gpu;
  if (resource == ReasonResource::memory) return ResourceIndex::memory;
  if (resource == ReasonResource::cpus) return ResourceIndex::cpu;
  if (resource == ReasonResource::nodes) return ResourceIndex::node;
  if (resource == ReasonResource::billing) return ResourceIndex::billing;
  return -1;
}

std::string user_key(const DatabaseName& user, const DatabaseName& account) {
  return "inferred user\n" + user.key() + '\n' + account.key();
}

std::string account_key(const DatabaseName& account) {
  return "inferred account\n" + account.key();
}

void sort_unique(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

SharedLimits::SharedLimits(const Cluster& cluster, std::vector<DatabaseName>& types)
    : cluster_(cluster), types_(types), bounds_(cluster) {
  std::set<DatabaseName> names;
  for (const Qos& qos : cluster.qos) {
    for (const Tres* tres : {&qos.group_tres, &qos.max_tres_per_user, &qos.max_tres_per_account}) {
      collect_types(*tres, names);
    }
  }
  for (const Association& one : cluster.associations) collect_types(one.group_tres, names);
  for (const Account& one : cluster.accounts) collect_types(one.group_tres, names);
  for (const DatabaseName& name : names) {
    if (std::find(types_.begin(), types_.end(), name) == types_.end()) types_.push_back(name);
  }
}

int SharedLimits::counter(const std::string& name, bool counts_nodes) {
  const auto [at, fresh] = counter_numbers_.try_emplace(name, static_cast<int>(counters_.size()));
  if (fresh) counters_.emplace_back().used.assign(ResourceIndex::first_type + types_.size(), 0);
  if (counts_nodes) counters_[at->second].jobs_on_node.resize(cluster_.nodes.size());
  return at->second;
}

int SharedLimits::limit(const SharedBound& bound) {
  std::string key = bound.counter + '\n' + std::to_string(bound.most_jobs.value_or(-1));
  for (const auto& [name, amount] : bound.most) key += '\n' + name.key() + '=' + std::to_string(amount);
  const auto [at, fresh] = limit_numbers_.try_emplace(key, static_cast<int>(limits_.size()));
  if (!fresh) return at->second;
  SharedLimit limit;
  limit.counter = counter(bound.counter, bound.counts_nodes);
  limit.most.assign(ResourceIndex::first_type + types_.size(), -1);
  limit.most_jobs = bound.most_jobs.value_or(-1);
  for (const auto& [name, amount] : bound.most) {
    if (name == DatabaseName("cpu")) limit.most[ResourceIndex::cpu] = amount;
    if (name == DatabaseName("mem")) limit.most[ResourceIndex::memory] = amount;
    if (name == DatabaseName("node")) limit.most[ResourceIndex::node] = amount;
    if (name == DatabaseName("gres/gpu")) limit.most[ResourceIndex::gpu] = amount;
    if (name == DatabaseName("billing")) limit.most[ResourceIndex::billing] = amount;
    if (!name.starts_with(typed_gpu)) continue;
    const auto type = std::find(types_.begin(), types_.end(), name.substr(typed_gpu.size()));
    limit.most[ResourceIndex::first_type + (type - types_.begin())] = amount;
  }
  limits_.push_back(std::move(limit));
  return at->second;
}

const SharedLimits::OfJob& SharedLimits::of(const DatabaseName& user, const DatabaseName& account,
                                            const DatabaseName& qos, const std::vector<std::string>& partitions) {
  std::string key = user.key() + '\n' + account.key() + '\n' + qos.key();
  for (const std::string& partition : partitions) key += '\n' + partition;
  const auto [at, fresh] = of_jobs_.try_emplace(std::move(key));
  OfJob& found = at->second;
  if (!fresh || !bounds_.enforced()) return found;
  for (const SharedBound& bound : bounds_.of(user, account, qos, partitions)) {
    found.counters.push_back(counter(bound.counter, bound.counts_nodes));
    if (!bound.most.empty() || bound.most_jobs) found.limits.push_back(limit(bound));
  }
  if (!inferred_.empty()) {
    for (const std::string& name : {user_key(user, account), account_key(account), "inferred qos\n" + qos.key()}) {
      const auto inferred = inferred_numbers_.find(name);
      if (inferred == inferred_numbers_.end()) continue;
      found.counters.push_back(limits_[inferred->second].counter);
      found.limits.push_back(inferred->second);
    }
  }
  sort_unique(found.counters);
  sort_unique(found.limits);
  return found;
}

void SharedLimits::infer_from(const QueuedJob& job) {
  const JobReason reason = job_reason(job.reason);
  if (reason.kind != ReasonClass::limit || reason.limit != LimitKind::shared) return;
  const bool qos_unknown = cluster_.qos.empty() || cluster_.unanswered.contains("qos");
  if (!reason.of_association && !qos_unknown) return;
  const int resource = index_of(reason.resource);
  std::string key = user_key(job.user, job.account);
  if (reason.of_association && bounds_.knows_limits_of(job.account)) {
    // The accounts' limits are known. What is left is a limit of another user's own association.
    if (job.user == cluster_.user) return;
    for (const int number : of(job.user, job.account, job.qos, job.partitions).limits) {
      if (resource < 0 ? limits_[number].most_jobs >= 0 : limits_[number].most[resource] >= 0) return;
    }
    of_jobs_.clear();
  } else if (reason.owner == LimitOwner::account) {
    key = account_key(job.account);
  }
  if (reason.owner == LimitOwner::qos) key = "inferred qos\n" + job.qos.key();
  const auto [at, fresh] = inferred_numbers_.try_emplace(key, 0);
  if (fresh) {
    at->second = static_cast<int>(limits_.size());
    limits_.push_back({counter(key, resource == ResourceIndex::node),
                       std::vector<std::int64_t>(ResourceIndex::first_type + types_.size(), -1), -1});
  }
  inferred_.push_back({at->second, resource, amounts(job.requested, std::max(job.nodes, 1), job.cpus)});
}

std::vector<std::int64_t> SharedLimits::amounts(const Tres& tres, int nodes, int cpus) const {
  std::vector<std::int64_t> each(ResourceIndex::first_type + types_.size(), 0);
  each[ResourceIndex::cpu] = std::max<std::int64_t>(amount(tres, "cpu").value_or(0), cpus);
  each[ResourceIndex::memory] = amount(tres, "mem").value_or(0);
  each[ResourceIndex::node] = nodes;
  each[ResourceIndex::gpu] = gpu_count(tres);
  each[ResourceIndex::billing] = amount(tres, "billing").value_or(0);
  for (auto it = tres.lower_bound(typed_gpu); it != tres.end() && it->first.starts_with(typed_gpu); ++it) {
    const auto type = std::find(types_.begin(), types_.end(), it->first.substr(typed_gpu.size()));
    if (type != types_.end()) each[ResourceIndex::first_type + (type - types_.begin())] = it->second;
  }
  return each;
}

void SharedLimits::count_running(const ReplayJob& job, const std::vector<JobPart>& parts) {
  std::vector<int> nodes;
  nodes.reserve(parts.size());
  for (const JobPart& part : parts) nodes.push_back(part.node);
  for (const int number : job.counters) {
    counters_[number].change(job.amounts, nodes, 1);
  }
}

/// PrivateData may hide jobs that the controller counts.
void SharedLimits::add_reported_use() {
  for (const auto& [name, account] : bounds_.accounts()) {
    const auto known = counter_numbers_.find(name);
    if (known == counter_numbers_.end()) continue;
    LimitCounter& counter = counters_[known->second];
    counter.jobs = std::max(counter.jobs, account->used_jobs);
    const auto nodes = static_cast<int>(amount(account->used_tres, "node").value_or(0));
    const auto reported = amounts(account->used_tres, nodes, 0);
    for (std::size_t i = 0; i < reported.size(); ++i) counter.used[i] = std::max(counter.used[i], reported[i]);
  }
}

void SharedLimits::complete_inferred() {
  for (const Inferred& one : inferred_) {
    SharedLimit& limit = limits_[one.limit];
    const LimitCounter& counter = counters_[limit.counter];
    if (one.resource < 0) {
      limit.most_jobs = counter.jobs;
      continue;
    }
    // The limit lies below what would be used with the job. A smaller job may fit.
    const std::int64_t most =
        std::max(counter.used[one.resource], counter.used[one.resource] + one.amounts[one.resource] - 1);
    std::int64_t& known = limit.most[one.resource];
    known = known < 0 ? most : std::min(known, most);
  }
}

void SharedLimits::take(ReplayModel& model) {
  add_reported_use();
  complete_inferred();
  model.counters = std::move(counters_);
  model.limits = std::move(limits_);
}

}  // namespace rv::planner
