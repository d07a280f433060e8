#include "reports/accept/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "reports/accept/step_name.h"

namespace rv::accept {
namespace {

using Json = nlohmann::ordered_json;

Finding about(const std::string& node, std::string what, std::string advice) {
  return {.verdict = Verdict::fail,
          .subject = {.node = node, .gpu_index = std::nullopt, .gpu_uuid = {}, .model = {}},
          .rank = std::nullopt,
          .what = std::move(what),
          .advice = std::move(advice)};
}

template <class Each>
void for_each_environment(const NodeEvidence& node, Each each) {
  for (const auto& step : node.steps) {
    for (const auto& report : step.reports) {
      if (report.environment.is_object()) each(report.environment);
    }
  }
}

/// Name of a library or the driver → its version, as the node's workers saw it.
std::map<std::string, std::string> versions_of(const NodeEvidence& node) {
  std::map<std::string, std::string> versions;
  for_each_environment(node, [&](const Json& environment) {
    if (environment.contains("driver") && environment["driver"].is_string()) {
      versions["driver"] = environment["driver"].get<std::string>();
    }
    if (!environment.contains("versions") || !environment["versions"].is_object()) return;
    for (const auto& [name, version] : environment["versions"].items()) {
      if (version.is_string()) versions[name] = version.get<std::string>();
    }
  });
  return versions;
}

/// The nodes that hold another value than most do. `values`: node → value.
std::vector<Finding> minority(const std::string& name, const std::map<std::string, std::string>& values,
                              const std::string& advice) {
  std::map<std::string, int> votes;
  for (const auto& [node, value] : values) ++votes[value];
  if (votes.size() < 2) return {};
  const auto usual =
      std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Finding> findings;
  for (const auto& [node, value] : values) {
    if (value == usual->first) continue;
    findings.push_back(about(
        node, fmt::format("{} {}, but {} on {} of {} nodes", name, value, usual->first, usual->second, values.size()),
        advice));
  }
  return findings;
}

struct SeenGpus {
  std::set<std::string> uuids, models;
  std::optional<std::size_t> count;  // as CUDA counts them; nothing: no worker asked
};

SeenGpus gpus_of(const NodeEvidence& node) {
  SeenGpus seen;
  for (const auto& step : node.steps) {
    if (!step_name::is_of_compute(step.step) && !step.step.starts_with("memory")) continue;
    for (const auto& report : step.reports) {
      if (!report.environment.is_object() || !report.environment.contains("gpus")) continue;
      const auto& gpus = report.environment["gpus"];
      seen.count = std::max(seen.count.value_or(0), gpus.size());
      for (const auto& gpu : gpus) {
        seen.uuids.insert(gpu.value("uuid", ""));
        seen.models.insert(gpu.value("model", ""));
      }
    }
  }
  return seen;
}

}  // namespace

std::vector<Finding> find_disagreements(const Order& order, const std::vector<NodeEvidence>& evidence) {
  std::vector<Finding> findings;
  const auto add = [&](std::vector<Finding> more) {
    findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  std::map<std::string, std::map<std::string, std::string>> versions;
  for (const auto& node : evidence) {
    for (const auto& [name, version] : versions_of(node)) versions[name][node.node] = version;
  }
  for (const auto& [name, by_node] : versions) {
    add(minority(name, by_node,
                 "install the same version on every node; NCCL may hang or be slow between different ones"));
  }
  if (order.device == "cpu") return findings;

  std::map<std::string, std::string> models, owner;
  for (const auto& node : evidence) {
    const auto seen = gpus_of(node);
    const auto wanted = static_cast<std::size_t>(order.gpus_per_node);
    // None at all is the workers' own finding: a skip.
    if (seen.count && *seen.count > 0 && *seen.count != wanted) {
      findings.push_back(
          about(node.node,
                fmt::format("{}, but {} requested", counted(static_cast<long long>(*seen.count), "GPU"),
                            wanted == 1 ? "one was" : fmt::format("{} were", wanted)),
                "run nvidia-smi -L on the node: a GPU that is missing there has fallen off the bus; otherwise check "
                "gres.conf and the job's own CUDA_VISIBLE_DEVICES"));
    }
    if (seen.models.size() > 1) {
      findings.push_back(about(node.node, fmt::format("{} different GPU models in one node", seen.models.size()),
                               "request one type (--type), or check the node"));
    } else if (seen.models.size() == 1) {
      models[node.node] = *seen.models.begin();
    }
    for (const auto& uuid : seen.uuids) {
      const auto [first, fresh] = owner.emplace(uuid, node.node);
      if (!fresh) {
        findings.push_back(about(node.node, fmt::format("{} is also shown by {}", uuid, first->second),
                                 "two Slurm nodes allocate the same GPU: check gres.conf"));
      }
    }
  }
  add(minority("GPUs are", models, "request one type (--type)"));
  return findings;
}

}  // namespace rv::accept
