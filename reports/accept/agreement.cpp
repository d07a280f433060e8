#include "reports/accept/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/documents/json_members.h"
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

/// Facts that rv-health read on the node: those of the node itself, and of its GPUs and InfiniBand adapters the
/// versions of firmware. A fact that differs within the node is left out.
std::map<std::string, std::string> facts_of(const NodeEvidence& node) {
  std::map<std::string, std::set<std::string>> values;
  for_each_environment(node, [&](const Json& environment) {
    for (const auto& [name, value] : member_of(environment, "node").items()) {
      if (value.is_string()) values[name].insert(value.get<std::string>());
    }
    for (const auto& gpu : member_of(environment, "readings")) {
      const auto texts = member_of(gpu, "texts");
      for (const auto* const name : {"vbios", "inforom"}) {
        if (auto text = member_text(texts, name); !text.empty()) {
          values[fmt::format("{} of {}", name, member_text(gpu, "model"))].insert(std::move(text));
        }
      }
    }
    for (const auto& port : member_of(environment, "infiniband")) {
      const auto board = member_text(port, "board");
      if (!board.empty()) values["firmware of " + board].insert(member_text(port, "firmware"));
    }
  });
  std::map<std::string, std::string> facts;
  for (const auto& [name, texts] : values) {
    if (texts.size() == 1) facts[name] = *texts.begin();
  }
  return facts;
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
    if (!step_name::is_of(Suite::compute, step.step) && !step_name::is_of(Suite::memory, step.step)) continue;
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
  std::map<std::string, std::map<std::string, std::string>> facts;
  for (const auto& node : evidence) {
    for (const auto& [name, value] : facts_of(node)) facts[name][node.node] = value;
  }
  for (const auto& [name, by_node] : facts) {
    add(minority(name, by_node, "give every node the same hardware, BIOS, firmware and system"));
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
