#include "cli/kubernetes/pods/node_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

using namespace rv;
using namespace rv::kubernetes;
using Json = nlohmann::ordered_json;

namespace {

Json node(const std::string& name, int capacity, int allocatable) {
  Json json = {{"kind", "Node"},
               {"metadata", {{"name", name}, {"labels", {{"nvidia.com/gpu.product", "NVIDIA-H200"}}}}},
               {"spec", Json::object()},
               {"status", {{"conditions", Json::array({{{"type", "Ready"}, {"status", "True"}}})}}}};
  if (capacity > 0) {
    json["status"]["capacity"] = {{"nvidia.com/gpu", std::to_string(capacity)}, {"memory", "2113528132Ki"}};
    json["status"]["allocatable"] = {{"nvidia.com/gpu", std::to_string(allocatable)}, {"memory", "2000000000Ki"}};
  }
  return json;
}

Json pod(const std::string& name, const std::string& on, int gpus, const std::string& phase) {
  Json json = {{"kind", "Pod"}, {"metadata", {{"name", name}, {"namespace", "ml"}}}, {"status", {{"phase", phase}}}};
  json["spec"] = {
      {"containers", Json::array({{{"resources", {{"limits", {{"nvidia.com/gpu", std::to_string(gpus)}}}}}}})}};
  if (!on.empty()) json["spec"]["nodeName"] = on;
  return json;
}

ClusterCheck check(const std::vector<Json>& items, const JobOrder& order) {
  return check_cluster(cluster_facts(Json{{"items", items}}.dump(), "test"), order);
}

JobOrder eight() {
  JobOrder order;
  order.gpus_per_node = 8;
  return order;
}

std::string reason(const Json& item, const JobOrder& order = eight()) {
  const auto reasons = check({item}, order).nodes.at(0).reasons;
  std::string text;
  for (const auto& one : reasons) text += (text.empty() ? "" : "; ") + one;
  return text;
}

}  // namespace

TEST_CASE("a node with enough free GPUs takes a pod; of pods that are over nothing is in use") {
  const auto found = check({node("n1", 8, 8), pod("old", "n1", 8, "Succeeded")}, eight());
  CHECK(found.nodes[0].reasons.empty());
  CHECK(found.nodes[0].used == 0);
  CHECK(found.nodes[0].model == "NVIDIA-H200");
  CHECK(found.fits());
}

TEST_CASE("every reason why a node accepts no pod is listed") {
  CHECK(reason(node("n1", 0, 0)) == "the node has a GPU, but no device plugin offers nvidia.com/gpu");
  auto bare = node("n1", 0, 0);
  bare["metadata"]["labels"] = Json::object();
  CHECK(reason(bare) == "no GPU");
  bare["metadata"]["labels"] = {{"feature.node.kubernetes.io/pci-10de.present", "true"}};
  CHECK(reason(bare) == "the node has a GPU, but no device plugin offers nvidia.com/gpu");
  CHECK(reason(node("n1", 8, 7)) == "1 of 8 GPUs are not healthy by the device plugin");
  CHECK(reason(node("n1", 4, 4)) == "it has 4 GPUs, 8 are wanted");
  auto away = node("n1", 8, 8);
  away["status"]["conditions"][0]["status"] = "Unknown";
  CHECK(reason(away) == "it is not ready");
  auto cordoned = node("n1", 8, 8);
  cordoned["spec"] = {
      {"unschedulable", true},
      {"taints", Json::array({{{"key", "node.kubernetes.io/unschedulable"}, {"effect", "NoSchedule"}}})}};
  CHECK(reason(cordoned) == "it is cordoned (kubectl uncordon n1)");
  const auto busy = check({node("n1", 8, 8), pod("train", "n1", 2, "Running")}, eight());
  CHECK(busy.nodes[0].reasons == std::vector<std::string>{"2 of 8 GPUs are in use"});
  CHECK_FALSE(busy.fits());
}

TEST_CASE("taints: the GPUs' own is tolerated, others only where that was said, a preference never counts") {
  auto tainted = node("n1", 8, 8);
  tainted["spec"]["taints"] = Json::array({{{"key", "nvidia.com/gpu"}, {"value", "present"}, {"effect", "NoSchedule"}},
                                           {{"key", "soft"}, {"effect", "PreferNoSchedule"}},
                                           {{"key", "team"}, {"value", "a"}, {"effect", "NoSchedule"}}});
  CHECK(reason(tainted) == "taint team=a:NoSchedule (--toleration team=a:NoSchedule)");
  auto order = eight();
  order.tolerations = {{"team", "b", ""}};
  CHECK_FALSE(reason(tainted, order).empty());
  order.tolerations = {{"team", "a", "NoExecute"}};
  CHECK_FALSE(reason(tainted, order).empty());
  order.tolerations = {{"team", "", ""}};
  CHECK(reason(tainted, order).empty());
}

TEST_CASE("labels and other resources that are asked for") {
  auto order = eight();
  order.node_selector = {{"nvidia.com/gpu.product", "NVIDIA-H100"}, {"zone", "a"}};
  CHECK(reason(node("n1", 8, 8), order) ==
        "label nvidia.com/gpu.product is NVIDIA-H200, not NVIDIA-H100; no label zone");
  order = eight();
  order.resources = {{"rdma/hca", 1}};
  CHECK(reason(node("n1", 8, 8), order) == "no rdma/hca");
  order = eight();
  order.memory_mib = 4'000'000;
  CHECK(reason(node("n1", 8, 8), order) == "too little memory");
}

TEST_CASE("without a list of pods the use is unknown; waiting pods have the scheduler's reason") {
  const auto unknown = check({node("n1", 8, 8)}, eight());
  CHECK_FALSE(unknown.pods_known);
  CHECK_FALSE(unknown.nodes[0].used);
  CHECK(to_json(unknown, eight())["nodes"][0]["used"].is_null());
  auto waiting = pod("train", "", 8, "Pending");
  waiting["status"]["conditions"] =
      Json::array({{{"type", "PodScheduled"},
                    {"status", "False"},
                    {"message", "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."}}});
  const auto found = check({node("n1", 8, 8), waiting, pod("web", "", 0, "Pending")}, eight());
  REQUIRE(found.waiting.size() == 1);
  CHECK(found.waiting[0].why == "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.");
}

TEST_CASE("text that is not a list of nodes is rejected, odd members are accepted") {
  for (const auto* text : {"", "null", "[]", "{}", "{\"items\":{}}", "{\"items\":[]}", "{\"items\":[1,null,{}]}"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(cluster_facts(text, "test"), Error);
  }
  const auto facts = cluster_facts(
      R"({"items":[{"kind":"Node","metadata":7,"spec":{"taints":3},"status":{"capacity":{"nvidia.com/gpu":[]}}}]})",
      "test");
  CHECK(facts.nodes.size() == 1);
  CHECK_FALSE(facts.nodes[0].ready);
}

TEST_CASE("quantities as Kubernetes writes them") {
  CHECK(quantity("8") == 8);
  CHECK(quantity("500m") == doctest::Approx(0.5));
  CHECK(quantity("1Gi") == 1073741824.0);
  CHECK(quantity("2k") == 2000);
  CHECK(quantity("1e3") == 1000);
  CHECK_FALSE(quantity(""));
  CHECK_FALSE(quantity("x"));
  CHECK_FALSE(quantity("1 Gi"));
}
