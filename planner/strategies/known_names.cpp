#include "planner/strategies/known_names.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/text.h"
#include "planner/cluster/feature_expression.h"

namespace rv::planner {

namespace {

[[noreturn]] void refuse(const std::string& trouble, const std::string& name, const std::vector<std::string>& known,
                         const std::string& without) {
  std::string advice = known.empty() ? without : "it has " + listed(known);
  if (const auto near = nearest_words(name, known); !near.empty())
    advice = "did you mean " + listed(near) + "? " + advice;
  throw Error(trouble, std::move(advice), ExitCode::usage);
}

void check_partitions(const Cluster& cluster, const Request& request) {
  for (const std::string& name : request.partitions) {
    if (cluster.find_partition(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Partition& partition : cluster.partitions) known.push_back(partition.name);
    refuse("--partition: this cluster has no partition \"" + name + "\"", name, known, "it shows you none");
  }
}

/// sbatch refuses an unknown feature even behind '|' ("Invalid feature specification").
void check_features(const Cluster& cluster, const Request& request) {
  const std::vector<std::string> names = FeatureExpression(request.constraint).names();
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

/// "solver:2,matlab@server": name and count of one licence (sbatch(1), --licenses).
struct Licence {
  std::string name;
  std::int64_t count = 1;
};

Licence licence_of(const std::string& text) {
  const std::size_t at = text.find_first_of(":*");
  Licence licence{text.substr(0, at), 1};
  if (at == std::string::npos) return licence;
  const std::string number = text.substr(at + 1);
  const bool whole =
      !number.empty() && number.size() <= 9 && number.find_first_not_of("0123456789") == std::string::npos;
  if (whole) licence.count = std::stoll(number);
  return licence;
}

void check_licences(const Cluster& cluster, const Request& request) {
  const auto asked = request.sbatch.find("licenses");
  if (asked == request.sbatch.end() || !cluster.controller.licenses) return;
  const auto& totals = *cluster.controller.licenses;
  std::vector<std::string> known;
  known.reserve(totals.size());
  for (const auto& [name, total] : totals) known.push_back(name);
  std::string text = asked->second;
  for (char& c : text) c = c == '|' || c == ';' ? ',' : c;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const Licence licence = licence_of(text.substr(from, end - from));
    from = end + 1;
    if (licence.name.empty() || licence.name.find('@') != std::string::npos) continue;
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
  check_features(cluster, request);
  check_licences(cluster, request);
}

}  // namespace rv::planner
