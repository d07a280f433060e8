#include "kubernetes/cluster_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/error.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* advice = "make one: kubectl get nodes,pods -A -o json >FILE";

using Amounts = std::map<std::string, double>;

std::map<std::string, std::string> texts(const Json& json) {
  std::map<std::string, std::string> all;
  if (!json.is_object()) return all;
  for (const auto& [key, value] : json.items()) {
    if (value.is_string()) all[key] = value.get<std::string>();
  }
  return all;
}

Amounts amounts(const Json& json) {
  Amounts all;
  if (!json.is_object()) return all;
  for (const auto& [key, value] : json.items()) {
    if (value.is_number()) all[key] = value.get<double>();
    if (!value.is_string()) continue;
    if (const auto amount = quantity(value.get<std::string>()); amount.has_value()) all[key] = *amount;
  }
  return all;
}

Node node_of(const Json& json) {
  Node node;
  const auto &metadata = member_of(json, "metadata"), &spec = member_of(json, "spec"),
             &status = member_of(json, "status");
  node.name = member_text(metadata, "name");
  node.labels = texts(member_of(metadata, "labels"));
  node.cordoned = member_of(spec, "unschedulable") == true;
  for (const auto& taint : member_of(spec, "taints")) {
    node.taints.push_back({member_text(taint, "key"), member_text(taint, "value"), member_text(taint, "effect")});
  }
  for (const auto& condition : member_of(status, "conditions")) {
    if (member_text(condition, "type") == "Ready") node.ready = member_text(condition, "status") == "True";
  }
  node.capacity = amounts(member_of(status, "capacity"));
  node.allocatable = amounts(member_of(status, "allocatable"));
  return node;
}

Amounts requests_of(const Json& container) {
  const auto& resources = member_of(container, "resources");
  auto all = amounts(member_of(resources, "limits"));  // where nothing is requested, the limit is
  for (const auto& [name, amount] : amounts(member_of(resources, "requests"))) all[name] = amount;
  return all;
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
  for (const auto& container : member_of(spec, "containers")) {
    for (const auto& [name, amount] : requests_of(container)) pod.requests[name] += amount;
  }
  // What prepares a pod runs before the rest: the larger of both counts.
  for (const auto& container : member_of(spec, "initContainers")) {
    for (const auto& [name, amount] : requests_of(container)) {
      pod.requests[name] = std::max(pod.requests[name], amount);
    }
  }
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
  if (!items.is_array()) throw Error(fmt::format("{}: this is no list of Kubernetes", from), advice, ExitCode::usage);
  return items;
}

}  // namespace

std::optional<double> quantity(const std::string& words) {
  double value = 0;
  const auto* const last = words.data() + words.size();
  const auto [end, fault] = std::from_chars(words.data(), last, value);
  if (words.empty() || fault != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  constexpr std::array<std::pair<std::string_view, double>, 15> units = {{{"", 1.0},
                                                                          {"n", 1e-9},
                                                                          {"u", 1e-6},
                                                                          {"m", 1e-3},
                                                                          {"k", 1e3},
                                                                          {"M", 1e6},
                                                                          {"G", 1e9},
                                                                          {"T", 1e12},
                                                                          {"P", 1e15},
                                                                          {"Ki", 1024.0},
                                                                          {"Mi", 1048576.0},
                                                                          {"Gi", 1073741824.0},
                                                                          {"Ti", 1099511627776.0},
                                                                          {"Pi", 1125899906842624.0},
                                                                          {"Ei", 1152921504606846976.0}}};
  const auto* const found =
      std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == unit; });
  return found == units.end() ? std::nullopt : std::optional(value * found->second);
}

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
  if (facts.nodes.empty()) throw Error(fmt::format("{}: there is no node in it", from), advice, ExitCode::usage);
  return facts;
}

}  // namespace rv::kubernetes
