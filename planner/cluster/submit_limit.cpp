#include "planner/cluster/submit_limit.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "planner/cluster/limits.h"

namespace rv::planner {

namespace {

template <typename Counts>
int own_jobs(const Cluster& cluster, const Counts& counts) {
  int sum = 0;
  for (const QueuedJob& job : cluster.jobs) {
    if (job.user == cluster.user && counts(job)) sum += std::max(1, job.array_tasks);
  }
  return sum;
}

/// A QOS counts the jobs under it and those in partitions that have it as theirs.
int own_jobs_of_qos(const Cluster& cluster, const DatabaseName& qos) {
  return own_jobs(cluster, [&](const QueuedJob& job) {
    if (job.qos == qos) return true;
    return std::any_of(job.partitions.begin(), job.partitions.end(), [&](const std::string& name) {
      const Partition* partition = cluster.find_partition(name);
      return partition != nullptr && partition->qos == qos;
    });
  });
}

}  // namespace

std::optional<SubmitLimit> submit_limit(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                                        const Association* association) {
  if (cluster.unanswered.contains("jobs") || !enforces(cluster.controller, "limits")) return std::nullopt;
  std::optional<SubmitLimit> tightest;
  const auto consider = [&](SubmitLimit limit) {
    if (!tightest || limit.left() < tightest->left()) tightest = std::move(limit);
  };
  const Qos* first = partition.qos.empty() ? nullptr : cluster.find_qos(partition.qos);
  const Qos* second = job_qos;
  if (second != nullptr && contains(second->flags, "OverPartQOS")) std::swap(first, second);
  for (const Qos* qos : {first, second}) {
    if (qos == nullptr || !qos->max_submit_per_user) continue;
    consider(
        {*qos->max_submit_per_user, own_jobs_of_qos(cluster, qos->name), "QOS " + qos->name.text() + " MaxSubmitPU"});
    break;
  }
  if (association != nullptr && association->max_submit) {
    const int queued = own_jobs(cluster, [&](const QueuedJob& job) {
      const bool here = association->partition.empty() || contains(job.partitions, association->partition);
      return here && job.account == association->account;
    });
    consider({*association->max_submit, queued, "account " + association->account.text() + " MaxSubmit"});
  }
  return tightest;
}

std::string submit_refusal(const std::optional<SubmitLimit>& limit) {
  if (!limit || limit->left() > 0) return {};
  const std::string figure = limit->source + "=" + std::to_string(limit->most);
  if (limit->most <= 0) return "you may not submit here at all (" + figure + ")";
  const int too_many = limit->queued - limit->most + 1;
  return "you may have " + counted(limit->most, "job") + " in the queue at once (" + figure + ") and have " +
         std::to_string(limit->queued) + ": one more fits when " + counted(too_many, "job") +
         (too_many == 1 ? " has" : " have") + " ended or been cancelled";
}

}  // namespace rv::planner
