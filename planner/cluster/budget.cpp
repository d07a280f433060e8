#include "planner/cluster/budget.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "base/walltime.h"
#include "planner/cluster/admission.h"
#include "planner/cluster/cost.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/qos_order.h"

namespace rv::planner {

namespace {

bool is_safe(const ControllerSettings& controller) {
  return std::any_of(controller.enforced.begin(), controller.enforced.end(),
                     [](const std::string& word) { return lower(word) == "safe" || lower(word) == "all"; });
}

/// How much of the budget's resource the job takes at once. A budget of walltime has none: a minute is a minute.
double amount_of(const Budget& budget, const Cluster& cluster, const Partition& partition, const Strategy& strategy) {
  const DatabaseName& tres = budget.tres;
  if (tres.empty()) return 1;
  // Billing may be a fraction.
  if (tres == DatabaseName("billing")) {
    const auto billing = billing_units(strategy, partition, billing_rule(cluster.controller.priority_flags));
    if (billing) return *billing;
  }
  return static_cast<double>(amount(tres_of(strategy, partition, cluster.controller), tres).value_or(0));
}

/// By the place in Slurm's order: 0 and 1 the QOS, 2 the association, 3 the accounts above; -1: it does not apply.
int place_of(const Budget& budget, const Qos* first, const Qos* second, const DatabaseName& account,
             const Partition& partition) {
  if (!budget.qos.empty()) {
    if (!budget.account.empty() && budget.account != account) return -1;
    if (first != nullptr && budget.qos == first->name) return 0;
    return second != nullptr && budget.qos == second->name ? 1 : -1;
  }
  if (budget.account != account) return -1;
  if (!budget.partition.empty() && budget.partition != partition.name) return -1;
  return budget.of_user ? 2 : 3;
}

std::string hours(std::int64_t minutes) {
  const double value = static_cast<double>(minutes) / 60;
  const double shown = value >= 10 ? std::round(value) : std::round(value * 10) / 10;
  std::string text = std::to_string(shown);
  text.erase(text.find('.') + (shown == std::round(shown) ? 0 : 2));
  return text;
}

std::string unit_of(const DatabaseName& tres) {
  if (tres.empty()) return "hours of walltime";
  if (tres == DatabaseName("billing")) return "SU";
  if (tres == DatabaseName("gres/gpu")) return "GPU hours";
  if (tres.starts_with(typed_gpu)) return tres.substr(typed_gpu.size()).text() + " GPU hours";
  if (tres == DatabaseName("cpu")) return "CPU hours";
  if (tres == DatabaseName("node")) return "node hours";
  if (tres == DatabaseName("mem")) return "MiB hours of memory";
  return tres.text() + " hours";
}

std::string owner_of(const Budget& budget) {
  if (!budget.qos.empty()) {
    if (budget.kind == BudgetKind::running && budget.per_user) return "you in QOS " + budget.qos.text();
    return "QOS " + budget.qos.text();
  }
  return budget.of_user ? "your association with account " + budget.account.text()
                        : "account " + (budget.owner.empty() ? budget.account : budget.owner).text();
}

std::string figure_of(const Budget& budget) {
  return budget.limit + (budget.tres.empty() ? "=" : " " + budget.tres.text() + "=") + std::to_string(budget.most);
}

}  // namespace

void measure_run_minutes(Cluster& cluster) {
  for (Budget& budget : cluster.budgets) {
    if (budget.kind != BudgetKind::running || budget.qos.empty() || !(budget.per_user || !budget.account.empty()))
      continue;
    double minutes = 0;
    for (const QueuedJob& job : cluster.jobs) {
      const bool counts = budget.per_user ? job.user == cluster.user : job.account == budget.account;
      if (!counts || job.state == "PENDING" || !job.start || !job.time_limit) continue;
      const bool in_qos =
          job.qos == budget.qos || std::any_of(job.partitions.begin(), job.partitions.end(), [&](const auto& name) {
            const Partition* partition = cluster.find_partition(name);
            return partition != nullptr && partition->qos == budget.qos;
          });
      if (!in_qos) continue;
      const auto left = *job.time_limit - (cluster.taken_at - *job.start);
      const auto used = budget.tres == DatabaseName("gres/gpu") ? gpu_count(job.requested)
                                                                : amount(job.requested, budget.tres).value_or(0);
      minutes += std::chrono::duration<double, std::ratio<60>>(std::max(left, std::chrono::seconds(0))).count() *
                 static_cast<double>(used);
    }
    budget.used = static_cast<std::int64_t>(minutes);
  }
}

std::vector<BudgetLeft> budgets_of(const Cluster& cluster, const Partition& partition, const Strategy& strategy) {
  std::vector<BudgetLeft> found;
  if (cluster.budgets.empty() || !enforces(cluster.controller, "limits")) return found;
  Request request;
  request.account = strategy.account;
  request.qos = strategy.qos;
  const Admission admission = admit(cluster, partition, request);
  const DatabaseName account = admission.association == nullptr ? strategy.account : admission.association->account;
  const auto [first, second] =
      qos_in_order(partition.qos.empty() ? nullptr : cluster.find_qos(partition.qos), admission.job_qos);
  std::vector<std::pair<int, const Budget*>> applying;
  for (const Budget& budget : cluster.budgets) {
    const int place = place_of(budget, first, second, account, partition);
    if (place >= 0) applying.emplace_back(place, &budget);
  }
  std::stable_sort(applying.begin(), applying.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::set<std::tuple<BudgetKind, bool, DatabaseName>> set_by_qos;
  const double minutes = std::chrono::duration<double, std::ratio<60>>(strategy.time_limit).count();
  for (const auto& [place, budget] : applying) {
    const auto key = std::make_tuple(budget->kind, budget->per_user, budget->tres);
    if (place > 0 && set_by_qos.contains(key)) continue;
    if (place < 2) set_by_qos.insert(key);
    const double amount = amount_of(*budget, cluster, partition, strategy);
    if (amount <= 0) continue;
    BudgetLeft one;
    one.budget = budget;
    one.left = std::max<std::int64_t>(0, budget->most - budget->used);
    one.asked = static_cast<std::int64_t>(std::ceil(amount * minutes));
    one.time = std::chrono::seconds(static_cast<std::int64_t>(static_cast<double>(one.left) * 60 / amount));
    found.push_back(one);
  }
  return found;
}

namespace {

/// With DenyOnLimit in either QOS Slurm compares a job with the whole of each limit when it is submitted
/// (_acct_policy_validate() in src/slurmctld/acct_policy.c).
bool denies_on_limit(const Cluster& cluster, const Partition& partition, const Strategy& strategy) {
  Request request;
  request.account = strategy.account;
  request.qos = strategy.qos;
  const auto denies = [](const Qos* qos) { return qos != nullptr && contains(qos->flags, "DenyOnLimit"); };
  return denies(partition.qos.empty() ? nullptr : cluster.find_qos(partition.qos)) ||
         denies(admit(cluster, partition, request).job_qos);
}

}  // namespace

std::string budget_refusal(const Cluster& cluster, const Partition& partition, const Strategy& strategy) {
  const std::vector<BudgetLeft> budgets = budgets_of(cluster, partition, strategy);
  if (budgets.empty()) return {};
  const bool safe = is_safe(cluster.controller);
  const bool strict = denies_on_limit(cluster, partition, strategy);
  for (const BudgetLeft& one : budgets) {
    const Budget& budget = *one.budget;
    const std::string asked = "; this request needs " + hours(one.asked);
    switch (budget.kind) {
      case BudgetKind::per_job:
      case BudgetKind::running:
        if (one.asked > budget.most) {
          return owner_of(budget) + " may have " + hours(budget.most) + " " + unit_of(budget.tres) + " (" +
                 figure_of(budget) + ")" + asked;
        }
        break;
      case BudgetKind::used:
        if (one.left == 0) {
          return "the budget of " + owner_of(budget) + " is used up: " + hours(budget.used) + " of " +
                 hours(budget.most) + " " + unit_of(budget.tres) + " (" + figure_of(budget) + ")";
        }
        if (strict && one.asked > budget.most) {
          return owner_of(budget) + " has " + hours(budget.most) + " " + unit_of(budget.tres) + " in total (" +
                 figure_of(budget) + "), and the QOS has DenyOnLimit" + asked;
        }
        // Slurm starts a job only with enough left for its time limit, beside those that run.
        if (safe && one.asked + budget.running > one.left) {
          return in_words(one) + asked + (budget.running > 0 ? ", and running jobs need " + hours(budget.running) : "");
        }
        break;
    }
  }
  return {};
}

std::string waits_for_run_minutes(const Cluster& cluster, const Partition& partition, const Strategy& strategy) {
  for (const BudgetLeft& one : budgets_of(cluster, partition, strategy)) {
    if (one.budget->kind != BudgetKind::running || one.asked <= one.left) continue;
    return owner_of(*one.budget) + (one.budget->per_user ? " have " : " has ") + hours(one.budget->used) + " of " +
           hours(one.budget->most) + " " + unit_of(one.budget->tres) + " reserved for running jobs (" +
           figure_of(*one.budget) + ")";
  }
  return {};
}

std::string in_words(const BudgetLeft& left) {
  const Budget& budget = *left.budget;
  return owner_of(budget) + " has " + hours(left.left) + " " + unit_of(budget.tres) + " left of " + hours(budget.most) +
         " (" + figure_of(budget) +
         "): " + format_duration(std::chrono::duration_cast<std::chrono::minutes>(left.time)) + " of this request";
}

std::string left_in_words(const Budget& budget) {
  return owner_of(budget) + " has " + hours(std::max<std::int64_t>(0, budget.most - budget.used)) + " " +
         unit_of(budget.tres) + " left of " + hours(budget.most) + " (" + figure_of(budget) + ")";
}

std::vector<std::string> budgets_in_words(const Cluster& cluster, const Strategy& strategy) {
  std::vector<std::string> words;
  const Partition* partition = strategy.partitions.empty() ? nullptr : cluster.find_partition(strategy.partitions[0]);
  if (partition == nullptr) return words;
  for (const BudgetLeft& one : budgets_of(cluster, *partition, strategy)) {
    if (one.budget->kind == BudgetKind::used) words.push_back(in_words(one));
  }
  return words;
}

}  // namespace rv::planner
