#include "planner/cluster/submit_limit.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/qos_order.h"

namespace rv::planner {

namespace {

template <typename Counts>
int count_jobs(const Cluster& cluster, const Counts& counts) {
  int sum = 0;
  for (const QueuedJob& job : cluster.jobs) {
    if (job.state != "COMPLETING" && counts(job)) sum += std::max(1, job.array_tasks);
  }
  return sum;
}

/// A QOS counts the jobs under it and those in partitions that have it as theirs.
bool in_qos(const Cluster& cluster, const QueuedJob& job, const DatabaseName& qos) {
  if (job.qos == qos) return true;
  return std::any_of(job.partitions.begin(), job.partitions.end(), [&](const std::string& name) {
    const Partition* partition = cluster.find_partition(name);
    return partition != nullptr && partition->qos == qos;
  });
}

class Tightest {
 public:
  Tightest(const Cluster& cluster, const DatabaseName& account) : cluster_(cluster), account_(account) {}

  /// The limits of a QOS that bound the job.
  void consider(const Qos& qos) {
    const std::string name = "QOS " + qos.name.text();
    const auto count = [&](const auto& counts) {
      return count_jobs(cluster_, [&](const QueuedJob& job) { return counts(job) && in_qos(cluster_, job, qos.name); });
    };
    if (qos.group_submit) {
      consider({*qos.group_submit, count([](const QueuedJob&) { return true; }), name, name + " GrpSubmit"});
    }
    if (qos.max_submit_per_account && !account_.empty()) {
      const auto in_account = [&](const QueuedJob& job) { return job.account == account_; };
      consider({*qos.max_submit_per_account, count(in_account), "account " + account_.text(), name + " MaxSubmitPA"});
    }
    if (qos.max_submit_per_user) {
      const auto own = [&](const QueuedJob& job) { return job.user == cluster_.user; };
      consider({*qos.max_submit_per_user, count(own), "you", name + " MaxSubmitPU"});
    }
  }

  /// `one_user`: the user's own limit holds; `group`: that of the jobs of an account does.
  void consider(const Association& association, bool one_user, bool group) {
    const int own = count_jobs(cluster_, [&](const QueuedJob& job) {
      const bool here = association.partition.empty() || contains(job.partitions, association.partition);
      return here && job.user == cluster_.user && job.account == association.account;
    });
    const std::string source = "account " + association.account.text();
    if (one_user && association.max_submit) consider({*association.max_submit, own, "you", source + " MaxSubmit"});
    if (!group) return;
    if (association.group_submit) consider({*association.group_submit, own, "you", source + " GrpSubmit"});
    for (const Account* account : cluster_.accounts_from(association.account)) {
      if (!account->group_submit) continue;
      const int seen = count_jobs(cluster_, [&](const QueuedJob& job) { return is_below(job.account, *account); });
      const std::string name = "account " + account->name.text();
      consider({*account->group_submit, std::max(seen, account->used_submit), name, name + " GrpSubmit"});
    }
  }

  std::optional<SubmitLimit> take() { return std::move(tightest_); }

 private:
  void consider(SubmitLimit limit) {
    if (!tightest_ || limit.left() < tightest_->left()) tightest_ = std::move(limit);
  }
  bool is_below(const DatabaseName& name, const Account& account) const {
    const auto above = cluster_.accounts_from(name);
    return std::find(above.begin(), above.end(), &account) != above.end();
  }

  const Cluster& cluster_;
  DatabaseName account_;
  std::optional<SubmitLimit> tightest_;
};

}  // namespace

std::optional<SubmitLimit> submit_limit(const Cluster& cluster, const Partition& partition, const Qos* job_qos,
                                        const Association* association) {
  if (cluster.unanswered.contains("jobs") || !enforces(cluster.controller, "limits")) return std::nullopt;
  const auto [first, second] = qos_in_order(partition.qos.empty() ? nullptr : cluster.find_qos(partition.qos), job_qos);
  const Qos none;
  const Qos& before = first == nullptr ? none : *first;
  const Qos left = second == nullptr || second == first ? none : without_limits_of(before, *second);
  Tightest tightest(cluster, association == nullptr ? DatabaseName() : association->account);
  tightest.consider(before);
  tightest.consider(left);
  if (association != nullptr) {
    const bool one_user = !before.max_submit_per_user && !before.max_submit_per_account && !left.max_submit_per_user &&
                          !left.max_submit_per_account;
    tightest.consider(*association, one_user, !before.group_submit && !left.group_submit);
  }
  return tightest.take();
}

std::string submit_refusal(const std::optional<SubmitLimit>& limit) {
  if (!limit || limit->left() > 0) return {};
  const std::string figure = limit->source + "=" + std::to_string(limit->most);
  if (limit->most <= 0) return "you may not submit jobs here (" + figure + ")";
  const int too_many = limit->queued - limit->most + 1;
  const bool own = limit->whose == "you";
  return limit->whose + " may have " + counted(limit->most, "job") + " in the queue at once (" + figure + ") and " +
         (own ? "have " : "has ") + std::to_string(limit->queued) + ": one more fits when " + counted(too_many, "job") +
         (too_many == 1 ? " has" : " have") + " ended or been cancelled";
}

}  // namespace rv::planner
