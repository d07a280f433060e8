#include "kubernetes/cluster_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "kubernetes/members.h"

namespace rv::kubernetes {
namespace {

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
  const auto &metadata = at(json, "metadata"), &spec = at(json, "spec"), &status = at(json, "status");
  node.name = text(metadata, "name");
  node.labels = texts(at(metadata, "labels"));
  node.cordoned = at(spec, "unschedulable") == true;
  for (const auto& taint : at(spec, "taints")) {
    node.taints.push_back({text(taint, "key"), text(taint, "value"), text(taint, "effect")});
  }
  for (const auto& condition : at(status, "conditions")) {
    if (text(condition, "type") == "Ready") node.ready = text(condition, "status") == "True";
  }
  node.capacity = amounts(at(status, "capacity"));
  node.allocatable = amounts(at(status, "allocatable"));
  return node;
}

Amounts requests_of(const Json& container) {
  const auto& resources = at(container, "resources");
  auto all = amounts(at(resources, "limits"));  // where nothing is requested, the limit is
  for (const auto& [name, amount] : amounts(at(resources, "requests"))) all[name] = amount;
  return all;
}

PodFacts pod_of(const Json& json) {
  PodFacts pod;
  const auto &metadata = at(json, "metadata"), &spec = at(json, "spec"), &status = at(json, "status");
  pod.space = text(metadata, "namespace");
  pod.name = text(metadata, "name");
  pod.labels = texts(at(metadata, "labels"));
  pod.node = text(spec, "nodeName");
  pod.phase = text(status, "phase");
  for (const auto& container : at(spec, "containers")) {
    for (const auto& [name, amount] : requests_of(container)) pod.requests[name] += amount;
  }
  // What prepares a pod runs before the rest: the larger of both counts.
  for (const auto& container : at(spec, "initContainers")) {
    for (const auto& [name, amount] : requests_of(container)) {
      pod.requests[name] = std::max(pod.requests[name], amount);
    }
  }
  for (const auto& condition : at(status, "conditions")) {
    if (text(condition, "type") == "PodScheduled" && text(condition, "status") == "False") {
      pod.unschedulable = text(condition, "message");
    }
  }
  return pod;
}

Json items_of(const std::string& words, const std::string& from) {
  const auto json = Json::parse(words, nullptr, /*allow_exceptions=*/false);
  const auto& items = at(json, "items");
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
    if (text(item, "kind") == "Node") facts.nodes.push_back(node_of(item));
    if (text(item, "kind") != "Pod") continue;
    if (!facts.pods) facts.pods.emplace();
    facts.pods->push_back(pod_of(item));
  }
  if (facts.nodes.empty()) throw Error(fmt::format("{}: there is no node in it", from), advice, ExitCode::usage);
  return facts;
}

}  // namespace rv::kubernetes
