#include "planner/cluster/admission.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "planner/cluster/limits.h"
#include "planner/cluster/submit_limit.h"

namespace rv::planner {

namespace {

bool listed_name(const std::vector<DatabaseName>& names, const DatabaseName& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Why a list of the partition keeps this name out; empty when it does not.
std::string kept_out(const Partition& partition, const DatabaseName& name, const std::vector<DatabaseName>& allow,
                     const std::vector<DatabaseName>& deny, const std::string& noun, const std::string& suffix) {
  // AllowAccounts and DenyAccounts in one partition: Slurm looks at the first alone.
  if (!allow.empty()) {
    if (listed_name(allow, name)) return {};
    return partition.name + " allows only " + noun + " " + listed(texts_of(allow)) + " (Allow" + suffix + "), not " +
           name.text();
  }
  if (listed_name(deny, name)) return partition.name + " denies " + noun + " " + name.text() + " (Deny" + suffix + ")";
  return {};
}

std::string account_kept_out(const Partition& partition, const DatabaseName& account) {
  return kept_out(partition, account, partition.allow_accounts, partition.deny_accounts, "account", "Accounts");
}

/// Of a job without a reservation.
std::string qos_kept_out(const Cluster& cluster, const Partition& partition, const DatabaseName& qos) {
  const Qos* record = cluster.find_qos(qos);
  if (record != nullptr && contains(record->flags, "RequiresReservation")) {
    return "QOS " + qos.text() + " accepts only jobs with a reservation (RequiresReservation)";
  }
  return kept_out(partition, qos, partition.allow_qos, partition.deny_qos, "QOS", "Qos");
}

/// Slurm looks at no groups of root's.
std::string groups_kept_out(const Cluster& cluster, const Partition& partition) {
  if (partition.allow_groups.empty() || cluster.groups.empty() || cluster.user == DatabaseName("root")) return {};
  const bool member = std::any_of(cluster.groups.begin(), cluster.groups.end(),
                                  [&](const std::string& group) { return contains(partition.allow_groups, group); });
  if (member) return {};
  return partition.name + " allows only group " + listed(partition.allow_groups) + " (AllowGroups); you are in " +
         listed(cluster.groups);
}

/// What Slurm takes when a job names no QOS; empty when that is not known.
DatabaseName default_qos(const Cluster& cluster, const Association* association) {
  if (association != nullptr) {
    if (!association->default_qos.empty()) return association->default_qos;
    if (association->qos.size() == 1) return association->qos.front();
  }
  return cluster.find_qos("normal") != nullptr ? DatabaseName("normal") : DatabaseName();
}

std::string requested_qos_refused(const Cluster& cluster, const Partition& partition, const Association* association,
                                  const DatabaseName& qos) {
  const bool known = cluster.qos.empty() || cluster.unanswered.contains("qos") || cluster.find_qos(qos) != nullptr;
  if (!known) {
    std::vector<std::string> names;
    for (const Qos& one : cluster.qos) names.push_back(one.name.text());
    return "QOS " + qos.text() + " does not exist (existing: " + listed(names) + ")";
  }
  const bool bound = association != nullptr && !association->qos.empty() && enforces(cluster.controller, "qos");
  if (bound && !listed_name(association->qos, qos)) {
    return "account " + association->account.text() + " may use QOS " + listed(texts_of(association->qos)) + ", not " +
           qos.text();
  }
  return qos_kept_out(cluster, partition, qos);
}

void choose_qos(Admission& admission, const Cluster& cluster, const Partition& partition, const Request& request) {
  DatabaseName qos = request.qos;
  if (!qos.empty()) {
    admission.refusal = requested_qos_refused(cluster, partition, admission.association, qos);
    admission.qos = qos;
  } else {
    qos = default_qos(cluster, admission.association);
    if (!qos.empty()) admission.refusal = qos_kept_out(cluster, partition, qos);
    if (!admission.refusal.empty() && admission.association != nullptr) {
      for (const DatabaseName& other : admission.association->qos) {
        if (!qos_kept_out(cluster, partition, other).empty()) continue;
        admission.refusal.clear();
        admission.qos = qos = other;
        break;
      }
    }
  }
  admission.job_qos = qos.empty() ? nullptr : cluster.find_qos(qos);
}

Admission admit_account(const Cluster& cluster, const Partition& partition, const Request& request,
                        const DatabaseName& account) {
  Admission admission;
  admission.refusal = account_kept_out(partition, account);
  if (!admission.refusal.empty()) return admission;
  admission.association = cluster.find_association(account, partition.name);
  if (admission.association == nullptr && enforces(cluster.controller, "associations")) {
    const std::vector<DatabaseName> own = own_accounts(cluster);
    admission.refusal = listed_name(own, account)
                            ? "account " + account.text() + " may not use " + partition.name
                            : "your accounts are " + listed(texts_of(own)) + ", not " + account.text();
    return admission;
  }
  choose_qos(admission, cluster, partition, request);
  return admission;
}

std::string closed(const Cluster& cluster, const Partition& partition) {
  if (!partition.up) {
    return "partition " + partition.name + " is " + (partition.state.empty() ? "not up" : partition.state);
  }
  const bool is_root = cluster.user == DatabaseName("root");
  if (partition.root_only && !is_root) return "partition " + partition.name + " is for root only";
  if (partition.disable_root_jobs && is_root) {
    return "partition " + partition.name + " rejects jobs of root (DisableRootJobs)";
  }
  if (auto reason = groups_kept_out(cluster, partition); !reason.empty()) return reason;
  if (partition.requires_reservation) {
    return "partition " + partition.name + " accepts only jobs with a reservation (ReqResv)";
  }
  return {};
}

/// Accounting has answered, and Slurm is known to ask for an association.
bool has_no_association(const Cluster& cluster) {
  const bool answered = !cluster.user.empty() && !cluster.unanswered.contains("associations");
  const bool asked = cluster.controller.accounting && !cluster.controller.enforced.empty();
  return answered && cluster.associations.empty() && asked && enforces(cluster.controller, "associations");
}

/// By right; how much is in the queue already is not looked at.
Admission let_in(const Cluster& cluster, const Partition& partition, const Request& request) {
  Admission admission;
  admission.refusal = closed(cluster, partition);
  if (!admission.refusal.empty()) return admission;

  if (has_no_association(cluster)) {
    admission.refusal = "user " + cluster.user.text() +
                        " has no association in this cluster's accounting, so Slurm rejects the user's jobs";
    return admission;
  }
  if (cluster.associations.empty() || cluster.unanswered.contains("associations")) {
    if (!request.account.empty()) admission.refusal = account_kept_out(partition, request.account);
    admission.account = request.account;
    if (admission.refusal.empty()) choose_qos(admission, cluster, partition, request);
    return admission;
  }
  if (!request.account.empty()) {
    admission = admit_account(cluster, partition, request, request.account);
    admission.account = request.account;
    return admission;
  }
  const auto flagged = std::find_if(cluster.associations.begin(), cluster.associations.end(),
                                    [](const Association& one) { return one.is_default_account; });
  std::string first_refusal;
  for (const DatabaseName& account : own_accounts(cluster)) {
    admission = admit_account(cluster, partition, request, account);
    if (admission.refusal.empty()) {
      const bool is_default = flagged != cluster.associations.end() && flagged->account == account;
      if (!is_default) admission.account = account;
      return admission;
    }
    if (first_refusal.empty()) first_refusal = admission.refusal;
  }
  admission.refusal = first_refusal;
  return admission;
}

}  // namespace

std::vector<DatabaseName> own_accounts(const Cluster& cluster) {
  std::vector<DatabaseName> accounts;
  for (const bool default_ones : {true, false}) {
    for (const Association& one : cluster.associations) {
      if (one.is_default_account == default_ones && !listed_name(accounts, one.account)) {
        accounts.push_back(one.account);
      }
    }
  }
  return accounts;
}

Admission admit(const Cluster& cluster, const Partition& partition, const Request& request) {
  Admission admission = let_in(cluster, partition, request);
  if (admission.refusal.empty()) {
    admission.refusal = submit_refusal(submit_limit(cluster, partition, admission.job_qos, admission.association));
  }
  return admission;
}

JobRights rights_of(const Cluster& cluster, const Strategy& strategy, const Partition& partition) {
  Request request;
  request.account = strategy.account;
  request.qos = strategy.qos;
  const Admission admission = admit(cluster, partition, request);
  return {.user = cluster.user,
          .account = admission.association == nullptr ? strategy.account : admission.association->account,
          .qos = admission.job_qos == nullptr ? strategy.qos : admission.job_qos->name,
          .partition = partition.name};
}

}  // namespace rv::planner
