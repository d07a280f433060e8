#include "cli/kubernetes/pods/manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/kubernetes/pods/names.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

Json object(const JobOrder& order, const std::string& version, const std::string& kind) {
  Json json = {{"apiVersion", version}, {"kind", kind}, {"metadata", {{"name", order.name}}}};
  if (!order.space.empty()) json["metadata"]["namespace"] = order.space;
  for (const auto& [key, value] : labels_of_all()) json["metadata"]["labels"][key] = value;
  json["metadata"]["labels"][name_label] = order.name;
  return json;
}

Json secret(const JobOrder& order) {
  auto json = object(order, "v1", "Secret");
  json["type"] = "Opaque";
  json["stringData"] = {{"token", order.token + "\n"}};
  return json;
}

Json service(const JobOrder& order) {
  auto json = object(order, "v1", "Service");
  // A headless service gives every pod a name; also before it is ready, because ranks meet while others still start.
  json["spec"] = {{"clusterIP", "None"},
                  {"publishNotReadyAddresses", true},
                  {"selector", json["metadata"]["labels"]},
                  {"ports", Json::array({{{"name", "ranks"}, {"port", rendezvous_port}}})}};
  return json;
}

/// A pod that failed is not tried again: its reports would be those of another try.
Json job_spec(const JobOrder& order) {
  return {{"completionMode", "Indexed"},
          {"completions", order.nodes},
          {"parallelism", order.nodes},
          {"backoffLimit", 0},
          {"activeDeadlineSeconds", order.limit.count()},
          {"template", pod_template(order, "workers")}};
}

Json job(const JobOrder& order) {
  auto json = object(order, "batch/v1", "Job");
  json["spec"] = job_spec(order);
  json["spec"]["ttlSecondsAfterFinished"] = order.keep.count();
  return json;
}

Json jobset(const JobOrder& order) {
  auto json = object(order, "jobset.x-k8s.io/v1alpha2", "JobSet");
  json["spec"] = {{"ttlSecondsAfterFinished", order.keep.count()},
                  {"network", {{"enableDNSHostnames", true}}},
                  {"failurePolicy", {{"maxRestarts", 0}}},
                  {"replicatedJobs",
                   Json::array({{{"name", "node"}, {"replicas", 1}, {"template", {{"spec", job_spec(order)}}}}})}};
  return json;
}

Json pytorchjob(const JobOrder& order) {
  auto json = object(order, "kubeflow.org/v1", "PyTorchJob");
  const auto replicas = [&](int count) {
    // The operator looks for a container of this name.
    return Json{{"replicas", count}, {"restartPolicy", "Never"}, {"template", pod_template(order, "pytorch")}};
  };
  json["spec"]["runPolicy"] = {{"cleanPodPolicy", "None"},  // a removed pod has no log
                               {"backoffLimit", 0},
                               {"activeDeadlineSeconds", order.limit.count()},
                               {"ttlSecondsAfterFinished", order.keep.count()}};
  json["spec"]["pytorchReplicaSpecs"]["Master"] = replicas(1);
  if (order.nodes > 1) json["spec"]["pytorchReplicaSpecs"]["Worker"] = replicas(order.nodes - 1);
  return json;
}

/// What the manifest, the operator or Kubernetes sets in every pod.
void check_not_set(const std::string& name) {
  constexpr std::array<std::string_view, 10> set = {
      "RANK",        "LOCAL_RANK",           "WORLD_SIZE",   "LOCAL_WORLD_SIZE", "MASTER_ADDR",
      "MASTER_PORT", "JOB_COMPLETION_INDEX", "RV_NODE_NAME", "RV_POD",           "RV_ACCEPTANCE"};
  if (std::find(set.begin(), set.end(), name) == set.end()) return;
  throw Error(fmt::format("--env {}: this variable is already set in every pod", name),
              "remove this --env; --nodes and --gpus-per-node give the number of ranks", ExitCode::usage);
}

}  // namespace

void check_names(const JobOrder& order) {
  check_run_name("--name", order.name);
  if (!order.space.empty()) check_namespace("--namespace", order.space);
  if (!order.pull_secret.empty()) check_secret("--pull-secret", order.pull_secret);
  if (order.image.empty()) {
    throw Error(
        "--kubernetes needs the image that has the workers",
        "build one with examples/kubernetes/Containerfile, push it, and name it: --image REGISTRY/rv-workers:TAG",
        ExitCode::usage);
  }
  check_image("--image", order.image);
  check_resource("--gpu-resource", order.gpu_resource);
  for (const auto& [name, count] : order.resources) check_resource("--rdma", name);
  for (const auto& [key, value] : order.node_selector) {
    check_label_key("--node-selector", key);
    check_label_value("--node-selector", value);
  }
  for (const auto& one : order.tolerations) {
    check_label_key("--toleration", one.key);
    check_label_value("--toleration", one.value);
  }
  std::set<std::string> variables;
  for (const auto& [name, value] : order.variables) {
    check_variable("--env", name);
    check_not_set(name);
    if (!variables.insert(name).second) {
      throw Error(fmt::format("--env {}: it is given twice", name), "give it one value", ExitCode::usage);
    }
    check_value("--env", name, value);
  }
}

std::vector<Json> manifests(const JobOrder& order) {
  check_names(order);
  std::vector<Json> documents = {secret(order)};
  if (order.by == Operator::job && order.nodes > 1) documents.push_back(service(order));
  switch (order.by) {
    case Operator::job:
      documents.push_back(job(order));
      break;
    case Operator::jobset:
      documents.push_back(jobset(order));
      break;
    case Operator::pytorchjob:
      documents.push_back(pytorchjob(order));
      break;
  }
  return documents;
}

}  // namespace rv::kubernetes
