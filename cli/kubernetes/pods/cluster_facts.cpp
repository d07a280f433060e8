#include "cli/kubernetes/pods/cluster_facts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/error.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* advice = "write the file with kubectl get nodes,pods -A -o json >FILE";

std::map<std::string, std::string> texts(const Json& json) {
  std::map<std::string, std::string> all;
  if (!json.is_object()) return all;
  for (const auto& [key, value] : json.items()) {
    if (value.is_string()) all[key] = value.get<std::string>();
  }
  return all;
}

Node node_of(const Json& json) {
  Node node;
  const auto &metadata = member_of(json, "metadata"), &spec = member_of(json, "spec"),
             &status = member_of(json, "status");
  node.name = member_text(metadata, "name");
  node.labels = texts(member_of(metadata, "labels"));
  node.annotations = texts(member_of(metadata, "annotations"));
  node.cordoned = member_of(spec, "unschedulable") == true;
  for (const auto& taint : member_of(spec, "taints")) {
    node.taints.push_back({member_text(taint, "key"), member_text(taint, "value"), member_text(taint, "effect")});
  }
  for (const auto& condition : member_of(status, "conditions")) {
    if (member_text(condition, "type") == "Ready") node.ready = member_text(condition, "status") == "True";
  }
  node.capacity = amounts_of(member_of(status, "capacity"));
  node.allocatable = amounts_of(member_of(status, "allocatable"));
  return node;
}

PodFacts pod_of(const Json& json) {
  PodFacts pod;
  const auto &metadata = member_of(json, "metadata"), &spec = member_of(json, "spec"),
             &status = member_of(json, "status");
  pod.space = member_text(metadata, "namespace");
  pod.name = member_text(metadata, "name");
  pod.labels = texts(member_of(metadata, "labels"));
  pod.node = member_text(spec, "nodeName");
  pod.phase = member_text(status, "phase");
  pod.requests = requests_of_pod(spec);
  for (const auto& condition : member_of(status, "conditions")) {
    if (member_text(condition, "type") == "PodScheduled" && member_text(condition, "status") == "False") {
      pod.unschedulable = member_text(condition, "message");
    }
  }
  return pod;
}

Json items_of(const std::string& words, const std::string& from) {
  const auto json = parse_json_or_discard<Json>(words);
  const auto& items = member_of(json, "items");
  if (!items.is_array()) throw Error(fmt::format("{} is not a Kubernetes list", from), advice, ExitCode::usage);
  return items;
}

}  // namespace

std::vector<PodFacts> pods_of(const std::string& words, const std::string& from) {
  std::vector<PodFacts> pods;
  for (const auto& item : items_of(words, from)) pods.push_back(pod_of(item));
  return pods;
}

ClusterFacts cluster_facts(const std::string& words, const std::string& from) {
  ClusterFacts facts;
  for (const auto& item : items_of(words, from)) {
    if (member_text(item, "kind") == "Node") facts.nodes.push_back(node_of(item));
    if (member_text(item, "kind") != "Pod") continue;
    if (!facts.pods) facts.pods.emplace();
    facts.pods->push_back(pod_of(item));
  }
  if (facts.nodes.empty()) throw Error(fmt::format("{} has no nodes", from), advice, ExitCode::usage);
  return facts;
}

}  // namespace rv::kubernetes
