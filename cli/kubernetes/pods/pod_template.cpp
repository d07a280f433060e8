#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/kubernetes/pods/manifests.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

Json labels_of(const JobOrder& order) {
  auto labels = Json::object();
  for (const auto& [key, value] : labels_of_all()) labels[key] = value;
  labels[name_label] = order.name;
  return labels;
}

/// As requests and as limits: devices can't be shared, and Kubernetes wants both equal for them.
Json devices_of(const JobOrder& order) {
  auto devices = Json::object();
  if (order.gpus_per_node > 0) devices[order.gpu_resource] = std::to_string(order.gpus_per_node);
  for (const auto& [name, count] : order.resources) devices[name] = std::to_string(count);
  return devices;
}

Json resources_of(const JobOrder& order) {
  auto limits = devices_of(order), requests = limits;
  // A node's processors are asked for, and what else is idle may be taken too; memory beyond the limit ends the pod.
  if (order.cpus) requests["cpu"] = std::to_string(*order.cpus);
  if (order.memory_mib) requests["memory"] = limits["memory"] = fmt::format("{}Mi", *order.memory_mib);
  auto resources = Json::object();
  if (!requests.empty()) resources["requests"] = requests;
  if (!limits.empty()) resources["limits"] = limits;
  return resources;
}

Json variables_of(const JobOrder& order) {
  auto list = Json::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    // Kubernetes puts other variables in place of $(NAME); $$ is a plain $.
    std::string plain;
    for (const char c : value) plain += c == '$' ? "$$" : std::string(1, c);
    list.push_back({{"name", name}, {"value", plain}});
  };
  list.push_back({{"name", "RV_NODE_NAME"}, {"valueFrom", {{"fieldRef", {{"fieldPath", "spec.nodeName"}}}}}});
  list.push_back({{"name", "RV_POD"}, {"valueFrom", {{"fieldRef", {{"fieldPath", "metadata.name"}}}}}});
  add("RV_ACCEPTANCE", order.name);
  // PyTorchJob sets these itself; the place among the pods is JOB_COMPLETION_INDEX, which Kubernetes sets.
  if (order.by != Operator::pytorchjob && order.nodes > 1) {
    add("WORLD_SIZE", std::to_string(order.nodes));
    add("MASTER_ADDR", first_pod(order));
    add("MASTER_PORT", std::to_string(rendezvous_port));
  }
  for (const auto& [name, value] : order.variables) add(name, value);
  return list;
}

Json tolerations_of(const JobOrder& order) {
  auto list = Json::array();
  if (order.gpus_per_node > 0) list.push_back({{"key", gpu_taint(order.gpu_resource)}, {"operator", "Exists"}});
  for (const auto& one : order.tolerations) {
    Json json = {{"key", one.key}, {"operator", one.value.empty() ? "Exists" : "Equal"}};
    if (!one.value.empty()) json["value"] = one.value;
    if (!one.effect.empty()) json["effect"] = one.effect;
    list.push_back(json);
  }
  return list;
}

Json volumes_of(const JobOrder& order) {
  return Json::array(
      {{{"name", "shm"},
        {"emptyDir", {{"medium", "Memory"}, {"sizeLimit", fmt::format("{}Mi", order.shared_memory_mib)}}}},
       {{"name", "run"}, {"emptyDir", Json::object()}},
       {{"name", "secret"}, {"secret", {{"secretName", order.name}, {"defaultMode", 0400}}}}});
}

Json container_of(const JobOrder& order, const std::string& name) {
  Json container = {{"name", name}, {"image", order.image}, {"command", Json::array()}};
  for (const auto& word : order.command) {
    // As in a variable's value; the shell's own $(…) must reach the shell.
    std::string plain;
    for (const char c : word) plain += c == '$' ? "$$" : std::string(1, c);
    container["command"].push_back(plain);
  }
  container["env"] = variables_of(order);
  if (const auto resources = resources_of(order); !resources.empty()) container["resources"] = resources;
  // What is pinned for RDMA counts against a limit that most container engines leave at 64 KiB.
  if (!order.resources.empty()) container["securityContext"] = {{"capabilities", {{"add", {"IPC_LOCK"}}}}};
  container["volumeMounts"] = Json::array({{{"name", "shm"}, {"mountPath", "/dev/shm"}},
                                           {{"name", "run"}, {"mountPath", "/rv/run"}},
                                           {{"name", "secret"}, {"mountPath", "/rv/secret"}, {"readOnly", true}}});
  return container;
}

}  // namespace

Json pod_template(const JobOrder& order, const std::string& container) {
  const auto labels = labels_of(order);
  // A pod for each node: a pod without a separate node waits, and the acceptance is incomplete.
  const Json spread = {{"labelSelector", {{"matchLabels", labels}}}, {"topologyKey", "kubernetes.io/hostname"}};
  Json spec = {
      {"restartPolicy", "Never"},
      {"automountServiceAccountToken", false},
      {"enableServiceLinks", false},
      {"affinity", {{"podAntiAffinity", {{"requiredDuringSchedulingIgnoredDuringExecution", Json::array({spread})}}}}}};
  if (order.by == Operator::job && order.nodes > 1) spec["subdomain"] = order.name;
  if (!order.node_selector.empty()) {
    for (const auto& [key, value] : order.node_selector) spec["nodeSelector"][key] = value;
  }
  if (const auto tolerations = tolerations_of(order); !tolerations.empty()) spec["tolerations"] = tolerations;
  if (!order.pull_secret.empty()) spec["imagePullSecrets"] = Json::array({{{"name", order.pull_secret}}});
  spec["containers"] = Json::array({container_of(order, container)});
  spec["volumes"] = volumes_of(order);
  return {{"metadata", {{"labels", labels}}}, {"spec", spec}};
}

}  // namespace rv::kubernetes
