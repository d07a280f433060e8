#include "planner/strategies/known_names.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "planner/cluster/admission.h"
#include "planner/cluster/feature_expression.h"
#include "planner/cluster/limits.h"
#include "planner/slurm_words/release.h"
#include "planner/strategies/licences.h"

namespace rv::planner {

namespace {

[[noreturn]] void refuse(const std::string& trouble, const std::string& name, const std::vector<std::string>& known,
                         const std::string& without, const std::string& they_are = "it has ") {
  std::string advice = known.empty() ? without : they_are + listed(known);
  if (const auto near = nearest_words(name, known); !near.empty())
    advice = "did you mean " + listed(near) + "? " + advice;
  throw Error(trouble, std::move(advice), ExitCode::usage);
}

/// Where Slurm enforces associations: an account of which the user has none.
void check_account(const Cluster& cluster, const Request& request) {
  if (request.account.empty() || !enforces(cluster.controller, "associations")) return;
  const auto own = own_accounts(cluster);
  if (own.empty() || std::find(own.begin(), own.end(), request.account) != own.end()) return;
  refuse("--account: you have no account \"" + request.account.text() + "\"", request.account.text(), texts_of(own), "",
         "your accounts: ");
}

void check_qos(const Cluster& cluster, const Request& request) {
  if (request.qos.empty() || cluster.qos.empty() || cluster.unanswered.contains("qos")) return;
  if (cluster.find_qos(request.qos) != nullptr) return;
  std::vector<DatabaseName> known;
  for (const Qos& qos : cluster.qos) known.push_back(qos.name);
  refuse("--qos: this cluster has no QOS \"" + request.qos.text() + "\"", request.qos.text(), texts_of(known), "");
}

/// A node that no partition shows may be one of a cloud.
void check_nodes(const Cluster& cluster, const char* option, const std::vector<std::string>& names) {
  if (names.empty() || !cluster.hidden_nodes().empty()) return;
  for (const std::string& name : names) {
    if (cluster.find_node(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Node& node : cluster.nodes) known.push_back(node.name);
    const auto near = nearest_words(name, known);
    throw Error(std::string(option) + ": this cluster has no node \"" + name + "\"",
                near.empty() ? "sinfo -N lists the nodes" : "did you mean " + listed(near) + "?", ExitCode::usage);
  }
}

void check_partitions(const Cluster& cluster, const Request& request) {
  for (const std::string& name : request.partitions) {
    if (cluster.find_partition(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Partition& partition : cluster.partitions) known.push_back(partition.name);
    refuse("--partition: this cluster has no partition \"" + name + "\"", name, known,
           "it has no partitions that you can see");
  }
}

/// sbatch refuses an unknown feature even behind '|' ("Invalid feature specification").
void check_features(const Cluster& cluster, const Request& request) {
  const FeatureExpression expression(request.constraint);
  std::string fault = expression.fault();
  // 22.05 took them; which of the releases up to 24.11 was the last is not known.
  constexpr int first_without_open_counts = 2302;
  if (expression.has_open_counts() && release_of(cluster.controller.version) >= first_without_open_counts) {
    fault = "a count such as a*2 needs brackets around the whole expression if it has '&' or '|'";
  }
  if (!fault.empty()) {
    throw Error("--constraint " + request.constraint + ": " + fault, "write it like [a*2&b*1]", ExitCode::usage);
  }
  const std::vector<std::string> names = expression.names();
  if (names.empty() || !cluster.hidden_nodes().empty()) return;
  std::vector<std::string> known;
  for (const Node& node : cluster.nodes) {
    for (const auto* features : {&node.features, &node.other_features}) {
      for (const std::string& feature : *features) {
        if (!contains(known, feature)) known.push_back(feature);
      }
    }
  }
  for (const std::string& name : names) {
    if (contains(known, name)) continue;
    refuse("--constraint: no node of this cluster has the feature \"" + name + "\"", name, known,
           "its nodes have no features");
  }
}

void check_licences(const Cluster& cluster, const Request& request) {
  const auto asked = request.sbatch.find("licenses");
  if (asked == request.sbatch.end() || !cluster.controller.licenses) return;
  const auto& totals = *cluster.controller.licenses;
  std::vector<std::string> known;
  known.reserve(totals.size());
  for (const auto& [name, total] : totals) known.push_back(name);
  for (const Licence& licence : parse_licences(asked->second).licences) {
    if (licence.name.find('@') != std::string::npos) continue;
    const auto found = totals.find(licence.name);
    if (found == totals.end()) {
      refuse("--licenses: this cluster has no licences \"" + licence.name + "\"", licence.name, known, "it has none");
    }
    if (licence.count > found->second) {
      throw Error("--licenses: you asked for " + std::to_string(licence.count) + " of " + licence.name,
                  "this cluster has " + std::to_string(found->second), ExitCode::usage);
    }
  }
}

}  // namespace

void check_names(const Cluster& cluster, const Request& request) {
  check_partitions(cluster, request);
  check_account(cluster, request);
  check_qos(cluster, request);
  check_nodes(cluster, "--nodelist", request.nodelist);
  check_nodes(cluster, "--exclude", request.exclude);
  check_features(cluster, request);
  check_licences(cluster, request);
}

}  // namespace rv::planner
