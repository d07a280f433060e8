#include "slurm/cluster_answers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/text.h"
#include "planner/cluster/budget.h"
#include "planner/cluster/preemption.h"
#include "slurm/command_trouble.h"
#include "slurm/parse/parse_assoc_mgr.h"
#include "slurm/parse/parse_cluster.h"
#include "slurm/parse/parse_jobs.h"
#include "slurm/parse/parse_limits.h"
#include "slurm/parse/parse_queue.h"
#include "slurm/parse/parse_topology.h"
#include "slurm/release_faults.h"

namespace rv::slurm {
namespace {

// Puts the limits and the use that the controller reports into the tree of accounts.
void merge_accounts(std::vector<planner::Account>& tree, std::vector<planner::Account> reported) {
  for (planner::Account& account : reported) {
    const auto known =
        std::find_if(tree.begin(), tree.end(), [&](const planner::Account& one) { return one.name == account.name; });
    if (known == tree.end()) {
      tree.push_back(std::move(account));
    } else {
      *known = std::move(account);
    }
  }
}

// What the site shows to operators alone is unknown, not absent.
void tell_hidden(planner::Cluster& cluster) {
  const bool others = std::any_of(cluster.jobs.begin(), cluster.jobs.end(),
                                  [&](const planner::QueuedJob& job) { return job.user != cluster.user; });
  if (contains(cluster.controller.private_data, "jobs") && ::geteuid() != 0 && !others) {
    cluster.unanswered[planner::jobs_of_others] = "this site shows them only to operators (PrivateData=jobs)";
  }
  std::map<std::string, std::vector<std::string>> unlisted;
  for (const planner::Node& node : cluster.nodes) {
    for (const std::string& flag : node.state.unlisted_flags()) unlisted[flag].push_back(node.name);
  }
  for (const auto& [flag, nodes] : unlisted) {
    cluster.unanswered[fmt::format("{} in the state {}", counted(static_cast<long long>(nodes.size()), "node"), flag)] =
        "this version of rv does not support that state, so it predicts no start on " + nodes.front() +
        (nodes.size() > 1 ? ", …" : "");
  }
  for (const auto& [partition, count] : cluster.hidden_nodes()) {
    cluster.unanswered[fmt::format("{} of partition {}", counted(count, "node"), partition)] =
        "Slurm does not show cloud nodes that are powered off (PrivateData without cloud)";
  }
}

/// scontrol prints this, and exits with 0, where the user is in no group of any partition (AllowGroups), or the site
/// hides all partitions.
bool shows_nothing(const os::Result& answer) {
  return answer.out.starts_with("No nodes in the system") || answer.out.starts_with("No partitions in the system");
}

}  // namespace

void take_answers(planner::Cluster& cluster, const std::vector<os::Result>& answers) {
  if (!answers[ClusterQuery::nodes].ok()) no_cluster("scontrol show node", answers[ClusterQuery::nodes]);
  if (!answers[ClusterQuery::partitions].ok()) no_cluster("scontrol show partition", answers[ClusterQuery::partitions]);
  cluster.nodes = parse_nodes(answers[ClusterQuery::nodes].out);
  cluster.partitions = parse_partitions(answers[ClusterQuery::partitions].out);
  if (cluster.nodes.empty() && !shows_nothing(answers[ClusterQuery::nodes])) {
    no_cluster("scontrol show node", answers[ClusterQuery::nodes]);
  }
  if (cluster.partitions.empty() && !shows_nothing(answers[ClusterQuery::partitions])) {
    no_cluster("scontrol show partition", answers[ClusterQuery::partitions]);
  }
  if (answers[ClusterQuery::config].ok())
    cluster.controller = parse_config(answers[ClusterQuery::config].out);
  else
    cluster.unanswered["controller"] = trouble_of(answers[ClusterQuery::config]);
  if (answers[ClusterQuery::federation].ok())
    cluster.controller.federation = parse_federation(answers[ClusterQuery::federation].out);
  if (answers[ClusterQuery::reservations].ok())
    cluster.reservations = parse_reservations(answers[ClusterQuery::reservations].out);
  else
    cluster.unanswered["reservations"] = trouble_of(answers[ClusterQuery::reservations]);
  if (answers[ClusterQuery::queue].ok())
    cluster.jobs = parse_queue(answers[ClusterQuery::queue].out);
  else
    cluster.unanswered["jobs"] = trouble_of(answers[ClusterQuery::queue]);
  // Rows with other columns than those asked for are no empty queue.
  if (answers[ClusterQuery::queue].ok() && cluster.jobs.empty() &&
      answers[ClusterQuery::queue].out.find_first_not_of("\n ") != std::string::npos) {
    cluster.unanswered["jobs"] =
        "squeue does not support these fields: " + first_complaint(answers[ClusterQuery::queue].err);
  }
  tell_hidden(cluster);
}

void take_topology(planner::Cluster& cluster, const os::Result& answer) {
  if (!answer.ok()) {
    cluster.unanswered["topology"] = trouble_of(answer);
    return;
  }
  const auto switches = parse_top_switches(answer.out);
  for (planner::Node& node : cluster.nodes) {
    const auto found = switches.find(node.name);
    node.top_switch = found == switches.end() ? node.name : found->second;
  }
}

void take_licenses(planner::Cluster& cluster, const os::Result& answer) {
  if (answer.ok()) {
    cluster.free_licenses = parse_free_licenses(answer.out);
  } else {
    cluster.unanswered["licenses"] = trouble_of(answer);
  }
}

bool take_limits(planner::Cluster& cluster, const os::Result& answer) {
  auto limits = parse_limits(answer.out, cluster.user, cluster.controller.cluster_name);
  const auto trouble = cluster.user.empty() ? "this user has no name" : trouble_of(answer);
  // sacctmgr may end with 0 although the database is away, and with an error behind whole answers.
  if (limits.qos && !answer.timed_out)
    cluster.qos = std::move(*limits.qos);
  else
    cluster.unanswered["qos"] = trouble;
  // Without a user's name the question was about everybody.
  if (limits.associations && !answer.timed_out && !cluster.user.empty())
    cluster.associations = std::move(*limits.associations);
  else
    cluster.unanswered["associations"] = trouble;
  if (enforces_run_minutes_of_qos(cluster.controller.version)) cluster.budgets = std::move(limits.budgets);
  cluster.accounts = std::move(limits.accounts);
  return !cluster.unanswered.contains("qos") && !cluster.unanswered.contains("associations");
}

bool take_controllers_limits(planner::Cluster& cluster, const os::Result& answer) {
  auto limits = parse_assoc_mgr(answer.ok() ? answer.out : "", cluster.user, cluster.controller.cluster_name);
  if (!limits.qos || !limits.associations || cluster.user.empty()) return false;
  cluster.qos = std::move(*limits.qos);
  cluster.associations = std::move(*limits.associations);
  cluster.unanswered["per-user limits of unused QOS, default and permitted QOS"] =
      "this is the first query of accounting on this cluster; its answer follows in a moment";
  if (planner::preempts_by_qos(cluster.controller)) {
    cluster.unanswered[planner::preemption_between_qos] = "accounting has been queried; its answer follows in a moment";
  }
  return true;
}

void take_use(planner::Cluster& cluster, const os::Result& answer) {
  auto limits = parse_assoc_mgr(answer.ok() ? answer.out : "", cluster.user, cluster.controller.cluster_name);
  if (!limits.qos) {
    cluster.unanswered["use of limits in minutes"] = trouble_of(answer);
    cluster.accounts.clear();  // a tree without limits would pass for one that has none
    return;
  }
  cluster.budgets.insert(cluster.budgets.begin(), std::make_move_iterator(limits.budgets.begin()),
                         std::make_move_iterator(limits.budgets.end()));
  merge_accounts(cluster.accounts, std::move(limits.accounts));
  planner::measure_run_minutes(cluster);
}

}  // namespace rv::slurm
