#include "cli/kubernetes/pods/node_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

double amount(const Amounts& amounts, const std::string& name) {
  const auto found = amounts.find(name);
  return found == amounts.end() ? 0 : found->second;
}

/// Labels which show that a card exists although no plugin offers it: those of GPU feature discovery and of
/// node feature discovery (10de is NVIDIA's number, 1002 AMD's).
bool has_gpu_label(const Node& node) {
  return std::any_of(node.labels.begin(), node.labels.end(), [](const auto& label) {
    const auto& [key, value] = label;
    if (value == "false") return false;
    return key == "nvidia.com/gpu.present" || key == "nvidia.com/gpu.product" || key == "amd.com/gpu.product-name" ||
           key.starts_with("feature.node.kubernetes.io/pci-10de") ||
           key.starts_with("feature.node.kubernetes.io/pci-0302_10de") ||
           key.starts_with("feature.node.kubernetes.io/pci-0300_10de") ||
           key.starts_with("feature.node.kubernetes.io/pci-1002");
  });
}

std::string model_of(const Node& node) {
  for (const char* key : {"nvidia.com/gpu.product", "amd.com/gpu.product-name", "cloud.google.com/gke-accelerator"}) {
    if (const auto found = node.labels.find(key); found != node.labels.end()) return found->second;
  }
  return "";
}

/// Another name under which the node gives out GPUs: of the same maker ("nvidia.com/gpu.shared",
/// "nvidia.com/mig-1g.10gb"), else of another one.
std::string other_resource(const Node& node, const std::string& resource) {
  constexpr std::array<std::string_view, 4> of_makers = {"nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915",
                                                         "gpu.intel.com/xe"};
  const auto maker = resource.substr(0, resource.find('/') + 1);
  std::string other;
  for (const auto& [name, amount] : node.allocatable) {
    if (name == resource || amount <= 0) continue;
    if (std::find(of_makers.begin(), of_makers.end(), name) != of_makers.end()) other = name;
    if (!name.starts_with(maker)) continue;
    if (name == maker + "gpu" || name == maker + "gpu.shared" || name.starts_with(maker + "mig-")) return name;
  }
  return other;
}

/// The resource of a plugin that offers parts of GPUs in its own units (memory, hundredths); empty: none.
std::string parts_resource(const Node& node) {
  for (const char* name :
       {"aliyun.com/gpu-mem", "volcano.sh/vgpu-memory", "volcano.sh/vgpu-number", "tencent.com/vcuda-core"}) {
    if (amount(node.allocatable, name) > 0) return name;
  }
  return "";
}

bool tolerates(const JobOrder& order, const Taint& taint) {
  if (order.gpus_per_node > 0 && taint.key == gpu_taint(order.gpu_resource)) return true;
  return std::any_of(order.tolerations.begin(), order.tolerations.end(), [&](const Toleration& one) {
    return one.key == taint.key && (one.value.empty() || one.value == taint.value) &&
           (one.effect.empty() || one.effect == taint.effect);
  });
}

std::string text_of(const Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

/// "8 shares of 1 GPU", "8 shares".
std::string shares_of(const GpuShares& shares, int units) {
  return shares.gpus ? fmt::format("{} of {}", counted(units, "share"), counted(*shares.gpus, "GPU"))
                     : shown(shares, units);
}

class Check {
 public:
  Check(const ClusterFacts& facts, const JobOrder& order) : facts_(facts), order_(order) {}

  NodeCheck of(const Node& node) const {
    NodeCheck check;
    check.node = node.name;
    check.model = model_of(node);
    check.capacity = static_cast<int>(amount(node.capacity, order_.gpu_resource));
    check.allocatable = static_cast<int>(amount(node.allocatable, order_.gpu_resource));
    check.shows_gpus = check.capacity > 0 || has_gpu_label(node) ||
                       !other_resource(node, order_.gpu_resource).empty() || !parts_resource(node).empty();
    if (check.capacity > 0) check.shares = gpu_shares(node, order_.gpu_resource);
    if (facts_.pods) check.used = static_cast<int>(used(node.name, order_.gpu_resource));
    check.taints = node.taints;
    look_at_state(node, check);
    look_at_gpus(node, check);
    for (const auto& [name, count] : order_.resources) look_at(node, name, count, check);
    if (order_.cpus) look_at(node, "cpu", *order_.cpus, check);
    if (order_.memory_mib) look_at(node, "memory", static_cast<double>(*order_.memory_mib) * 1048576, check);
    return check;
  }

 private:
  double used(const std::string& node, const std::string& resource) const {
    double sum = 0;
    for (const auto& pod : *facts_.pods) {
      if (pod.node == node && !pod.over()) sum += amount(pod.requests, resource);
    }
    return sum;
  }

  void look_at_state(const Node& node, NodeCheck& check) const {
    if (!node.ready) check.reasons.emplace_back("it is not ready");
    if (node.cordoned) check.reasons.emplace_back("it is cordoned (kubectl uncordon " + node.name + ")");
    for (const auto& taint : node.taints) {
      // Kubernetes' own taints say again what is said already.
      const bool said = taint.key.starts_with("node.kubernetes.io/") && !check.reasons.empty();
      if (taint.effect == "PreferNoSchedule" || said || tolerates(order_, taint)) continue;
      check.reasons.push_back(fmt::format("taint {} (--toleration {})", text_of(taint), text_of(taint)));
    }
    for (const auto& [key, value] : order_.node_selector) {
      const auto found = node.labels.find(key);
      if (found == node.labels.end()) check.reasons.push_back(fmt::format("no label {}", key));
      if (found != node.labels.end() && found->second != value) {
        check.reasons.push_back(fmt::format("label {} is {}, not {}", key, found->second, value));
      }
    }
  }

  void look_at_gpus(const Node& node, NodeCheck& check) const {
    const int wanted = order_.gpus_per_node;
    if (wanted == 0) return;
    if (check.capacity == 0) {
      check.reasons.push_back(no_gpus(node, check));
      return;
    }
    look_at_shares(check);
    const char* unit = !check.shares ? "GPU" : check.shares->slices ? "slice" : "share";
    if (check.allocatable < check.capacity) {
      const auto missing = fmt::format("{} of {} are not healthy by the device plugin",
                                       check.capacity - check.allocatable, counted(check.capacity, unit));
      if (check.allocatable < wanted) check.reasons.push_back(missing);
    } else if (check.allocatable < wanted) {
      check.reasons.push_back(fmt::format("it has {}, {} are wanted", counted(check.allocatable, unit), wanted));
    }
    if (check.used && check.allocatable >= wanted && check.allocatable - *check.used < wanted) {
      check.reasons.push_back(fmt::format("{} of {} are in use", *check.used, counted(check.allocatable, unit)));
    }
  }

  std::string no_gpus(const Node& node, const NodeCheck& check) const {
    if (!check.shows_gpus) return "no GPU";
    const auto other = other_resource(node, order_.gpu_resource);
    if (const auto parts = parts_resource(node); other.empty() && !parts.empty()) {
      return fmt::format("its GPUs are offered in parts, as {}", parts);
    }
    if (other.empty()) return fmt::format("the node has a GPU, but no device plugin offers {}", order_.gpu_resource);
    return fmt::format("its GPUs are offered as {} (--gpu-resource {})", other, other);
  }

  /// A share measures what the GPU's other users leave, and several of one pod may be of the same GPU.
  void look_at_shares(NodeCheck& check) const {
    if (!check.shares || check.shares->slices) return;
    const auto& shares = *check.shares;
    const bool asked_for = order_.gpu_resource.ends_with(".shared");
    if (!asked_for) {
      check.reasons.push_back(fmt::format("{} are not whole GPUs: {} by {}", order_.gpu_resource,
                                          shares_of(shares, check.capacity), shares.by));
    } else if (shares.by == "MPS" && order_.gpus_per_node > 1) {
      check.reasons.emplace_back("with MPS a pod gets one share");
    }
  }

  void look_at(const Node& node, const std::string& resource, double wanted, NodeCheck& check) const {
    const auto whole = amount(node.allocatable, resource);
    if (whole < wanted) {
      check.reasons.push_back(whole == 0 ? fmt::format("no {}", resource) : fmt::format("too little {}", resource));
    } else if (facts_.pods && whole - used(node.name, resource) < wanted) {
      check.reasons.push_back(fmt::format("too little {} is free", resource));
    }
  }

  const ClusterFacts& facts_;
  const JobOrder& order_;
};

}  // namespace

ClusterCheck check_cluster(const ClusterFacts& facts, const JobOrder& order) {
  ClusterCheck result;
  result.wanted = order.nodes;
  result.pods_known = facts.pods.has_value();
  const Check check(facts, order);
  for (const auto& node : facts.nodes) {
    result.nodes.push_back(check.of(node));
    if (result.nodes.back().reasons.empty()) ++result.would_take;
  }
  std::sort(result.nodes.begin(), result.nodes.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
  if (!facts.pods) return result;
  for (const auto& pod : *facts.pods) {
    const bool ours = amount(pod.requests, order.gpu_resource) > 0;
    if (ours && pod.node.empty() && !pod.over()) result.waiting.push_back({pod.space, pod.name, pod.unschedulable});
  }
  return result;
}

namespace {

Json shares_json(const std::optional<GpuShares>& shares) {
  if (!shares) return {};
  return {{"by", shares->by},
          {"per_gpu", shares->per_gpu ? Json(*shares->per_gpu) : Json()},
          {"gpus", shares->gpus ? Json(*shares->gpus) : Json()}};
}

}  // namespace

Json to_json(const ClusterCheck& check, const JobOrder& order) {
  Json json = {{"wanted", check.wanted},         {"would_take", check.would_take},
               {"fits", check.fits()},           {"gpus_per_node", order.gpus_per_node},
               {"resource", order.gpu_resource}, {"pods_known", check.pods_known}};
  json["nodes"] = Json::array();
  for (const auto& one : check.nodes) {
    auto taints = Json::array();
    for (const auto& taint : one.taints) taints.push_back(text_of(taint));
    json["nodes"].push_back({{"node", one.node},
                             {"model", one.model.empty() ? Json() : Json(one.model)},
                             {"shows_gpus", one.shows_gpus},
                             {"capacity", one.capacity},
                             {"allocatable", one.allocatable},
                             {"shares", shares_json(one.shares)},
                             {"used", one.used ? Json(*one.used) : Json()},
                             {"taints", taints},
                             {"reasons", one.reasons}});
  }
  json["waiting"] = Json::array();
  for (const auto& pod : check.waiting) {
    json["waiting"].push_back({{"namespace", pod.space}, {"pod", pod.name}, {"why", pod.why}});
  }
  return json;
}

}  // namespace rv::kubernetes
