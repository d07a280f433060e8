#include "cli/kubernetes/pods/manifests.h"

#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"

using namespace rv;
using namespace rv::kubernetes;
using Json = nlohmann::ordered_json;

namespace {

JobOrder order_by(Operator by, int nodes = 4) {
  JobOrder order;
  order.name = "rv-monday";
  order.by = by;
  order.nodes = nodes;
  order.gpus_per_node = 8;
  order.image = "registry.example:5000/team/rv-workers:1.0";
  order.token = "0123456789abcdef";
  order.command = {"bash", "-c", "echo $(hostname) $HOME"};
  return order;
}

const Json& job_of(const std::vector<Json>& documents) {
  return documents.back();
}

Json variable(const Json& spec, const std::string& name) {
  for (const auto& one : spec["containers"][0]["env"]) {
    if (one["name"] == name) return one.contains("value") ? one["value"] : one["valueFrom"];
  }
  return nullptr;
}

}  // namespace

TEST_CASE("an indexed Job with a headless service: a pod for each node, none tried again") {
  const auto documents = manifests(order_by(Operator::job));
  REQUIRE(documents.size() == 3);
  CHECK(documents[0]["kind"] == "Secret");
  CHECK(documents[1]["kind"] == "Service");
  CHECK(documents[1]["spec"]["clusterIP"] == "None");
  CHECK(documents[1]["spec"]["publishNotReadyAddresses"] == true);
  const auto& job = job_of(documents);
  CHECK(job["kind"] == "Job");
  CHECK(job["spec"]["completionMode"] == "Indexed");
  CHECK(job["spec"]["completions"] == 4);
  CHECK(job["spec"]["parallelism"] == 4);
  CHECK(job["spec"]["backoffLimit"] == 0);
  CHECK(job["spec"]["ttlSecondsAfterFinished"] == 3600);
  const auto& pod = job["spec"]["template"]["spec"];
  CHECK(pod["restartPolicy"] == "Never");
  CHECK(pod["subdomain"] == "rv-monday");
  CHECK(variable(pod, "WORLD_SIZE") == "4");
  CHECK(variable(pod, "MASTER_ADDR") == "rv-monday-0.rv-monday");
  CHECK(variable(pod, "MASTER_PORT") == "29400");
  CHECK(variable(pod, "RV_NODE_NAME")["fieldRef"]["fieldPath"] == "spec.nodeName");
  // The service finds the pods.
  for (const auto& [key, value] : documents[1]["spec"]["selector"].items()) {
    CHECK(job["spec"]["template"]["metadata"]["labels"][key] == value);
  }
}

TEST_CASE("one node needs no service and no address") {
  const auto documents = manifests(order_by(Operator::job, 1));
  CHECK(documents.size() == 2);
  const auto& pod = job_of(documents)["spec"]["template"]["spec"];
  CHECK_FALSE(pod.contains("subdomain"));
  CHECK(variable(pod, "WORLD_SIZE") == nullptr);
}

TEST_CASE("GPUs are requested and limited alike, and the taint of their nodes is tolerated") {
  auto order = order_by(Operator::job);
  order.resources = {{"rdma/hca_shared_devices_a", 1}};
  order.memory_mib = 65536;
  order.cpus = 32;
  const auto documents = manifests(order);
  const auto& pod = job_of(documents)["spec"]["template"]["spec"];
  const auto& resources = pod["containers"][0]["resources"];
  CHECK(resources["limits"]["nvidia.com/gpu"] == "8");
  CHECK(resources["requests"]["nvidia.com/gpu"] == "8");
  CHECK(resources["limits"]["rdma/hca_shared_devices_a"] == "1");
  CHECK(resources["requests"]["cpu"] == "32");
  CHECK_FALSE(resources["limits"].contains("cpu"));
  CHECK(resources["limits"]["memory"] == "65536Mi");
  CHECK(pod["tolerations"] == Json::array({{{"key", "nvidia.com/gpu"}, {"operator", "Exists"}}}));
  CHECK(pod["containers"][0]["securityContext"]["capabilities"]["add"] == Json::array({"IPC_LOCK"}));
  CHECK(pod["volumes"][0]["emptyDir"]["medium"] == "Memory");
  order.gpu_resource = "nvidia.com/mig-1g.10gb";
  CHECK(job_of(manifests(order))["spec"]["template"]["spec"]["tolerations"][0]["key"] == "nvidia.com/gpu");
}

TEST_CASE("no two pods on one node, and no right that is not needed") {
  const auto documents = manifests(order_by(Operator::job));
  const auto& pod = job_of(documents)["spec"]["template"]["spec"];
  const auto& rule = pod["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][0];
  CHECK(rule["topologyKey"] == "kubernetes.io/hostname");
  CHECK(rule["labelSelector"]["matchLabels"]["app.kubernetes.io/instance"] == "rv-monday");
  CHECK(pod["automountServiceAccountToken"] == false);
  CHECK_FALSE(pod["containers"][0].contains("securityContext"));
}

TEST_CASE("a JobSet makes its own service, with its own names") {
  const auto documents = manifests(order_by(Operator::jobset));
  REQUIRE(documents.size() == 2);
  const auto& spec = job_of(documents)["spec"];
  CHECK(spec["ttlSecondsAfterFinished"] == 3600);
  const auto& job = spec["replicatedJobs"][0]["template"]["spec"];
  CHECK(job["completions"] == 4);
  CHECK_FALSE(job.contains("ttlSecondsAfterFinished"));
  CHECK(variable(job["template"]["spec"], "MASTER_ADDR") == "rv-monday-node-0-0.rv-monday");
}

TEST_CASE("a PyTorchJob has a master and workers, keeps its pods and sets the ranks itself") {
  const auto documents = manifests(order_by(Operator::pytorchjob));
  const auto& spec = job_of(documents)["spec"];
  CHECK(spec["runPolicy"]["cleanPodPolicy"] == "None");
  CHECK(spec["runPolicy"]["ttlSecondsAfterFinished"] == 3600);
  CHECK(spec["pytorchReplicaSpecs"]["Master"]["replicas"] == 1);
  CHECK(spec["pytorchReplicaSpecs"]["Worker"]["replicas"] == 3);
  const auto& pod = spec["pytorchReplicaSpecs"]["Worker"]["template"]["spec"];
  CHECK(pod["containers"][0]["name"] == "pytorch");
  CHECK(variable(pod, "WORLD_SIZE") == nullptr);
  const auto alone = manifests(order_by(Operator::pytorchjob, 1));
  CHECK_FALSE(job_of(alone)["spec"]["pytorchReplicaSpecs"].contains("Worker"));
}

TEST_CASE("everything carries the labels by which it is found again, and the namespace") {
  for (const auto by : {Operator::job, Operator::jobset, Operator::pytorchjob}) {
    auto order = order_by(by);
    order.space = "gpu-tests";
    for (const auto& document : manifests(order)) {
      CHECK(document["metadata"]["namespace"] == "gpu-tests");
      for (const auto& [key, value] : labels_of_all()) CHECK(document["metadata"]["labels"][key] == value);
      CHECK(document["metadata"]["labels"][name_label] == "rv-monday");
    }
  }
}

TEST_CASE("Kubernetes puts no variable in place of the shell's own") {
  auto order = order_by(Operator::job);
  order.variables = {{"A", "$(B)"}};
  const auto documents = manifests(order);
  const auto& pod = job_of(documents)["spec"]["template"]["spec"];
  CHECK(pod["containers"][0]["command"][2] == "echo $$(hostname) $$HOME");
  CHECK(variable(pod, "A") == "$$(B)");
}

TEST_CASE("names that Kubernetes would refuse, or read as something else, are refused first") {
  const auto refused = [](const std::function<void(JobOrder&)>& spoil) {
    auto order = order_by(Operator::job);
    spoil(order);
    try {
      manifests(order);
    } catch (const Error& error) {
      return error.code() == ExitCode::usage && !error.advice().empty();
    }
    return false;
  };
  for (const auto* name : {"", "Upper", "-a", "a-", "1a", "a.b", "a_b", "a b", "a\nb", "a/b", "$(id)", "ünder",
                           "a-name-that-is-longer-than-what-a-pod-can-h"}) {
    CAPTURE(name);
    CHECK(refused([&](JobOrder& order) { order.name = name; }));
  }
  for (const auto* space : {"Upper", "a.b", "a\n---\nkind: Pod", " ", "-", "kube_system"}) {
    CAPTURE(space);
    CHECK(refused([&](JobOrder& order) { order.space = space; }));
  }
  for (const auto* image :
       {"", "team/UPPER", "a b", "a:b:c", "a;rm -rf /", "image\n", "a@sha256:xyz", "-a", "a/", ":tag", "host:port/a"}) {
    CAPTURE(image);
    CHECK(refused([&](JobOrder& order) { order.image = image; }));
  }
  for (const auto* key : {"", "a b", "/a", "a/", "a/b/c", "Domain.Com/a", "a:b", "-a"}) {
    CAPTURE(key);
    CHECK(refused([&](JobOrder& order) { order.node_selector = {{key, "v"}}; }));
    CHECK(refused([&](JobOrder& order) { order.tolerations = {{key, "v", ""}}; }));
  }
  for (const auto* value : {"a b", "a/b", "-", "a\n", "ü"}) {
    CHECK(refused([&](JobOrder& order) { order.node_selector = {{"k", value}}; }));
  }
  CHECK(refused([](JobOrder& order) { order.gpu_resource = "gpu"; }));
  CHECK(refused([](JobOrder& order) { order.resources = {{"rdma", 1}}; }));
  CHECK(refused([](JobOrder& order) { order.variables = {{"A-B", ""}}; }));
  CHECK(refused([](JobOrder& order) { order.variables = {{"A", "two\nlines"}}; }));
  CHECK(refused([](JobOrder& order) { order.variables = {{"A", "\xff"}}; }));
  CHECK(refused([](JobOrder& order) { order.pull_secret = "A"; }));
}

TEST_CASE("images as registries have them are taken") {
  for (const auto* image : {"rv-workers", "rv-workers:1.0", "ghcr.io/a/b_c/d__e:x", "localhost:5000/a",
                            "docker.io/library/a@sha256:"
                            "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                            "Registry.Example/a:1"}) {
    CAPTURE(image);
    auto order = order_by(Operator::job);
    order.image = image;
    CHECK_NOTHROW(manifests(order));
  }
}
