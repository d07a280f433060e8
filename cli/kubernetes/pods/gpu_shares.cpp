#include "cli/kubernetes/pods/gpu_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/documents/parse_document.h"
#include "base/text.h"
#include "shared/number.h"

namespace rv::kubernetes {
namespace {

constexpr std::string_view renamed = ".shared";     // the device plugin's renameByDefault
constexpr std::string_view in_product = "-SHARED";  // without it the product's name says so

std::string label(const Node& node, const std::string& key) {
  const auto found = node.labels.find(key);
  return found == node.labels.end() ? "" : found->second;
}

std::optional<int> number(const std::string& text) {
  return number_in<int>(text, 1);
}

int capacity_of(const Node& node, const std::string& resource) {
  const auto found = node.capacity.find(resource);
  return found == node.capacity.end() ? 0 : static_cast<int>(found->second);
}

bool offers(const Node& node, const std::string& resource) {
  const auto found = node.allocatable.find(resource);
  return found != node.allocatable.end() && found->second > 0;
}

std::optional<int> rounded_ratio(int units, std::optional<int> each) {
  if (!each || units < *each) return std::nullopt;
  return units / *each;
}

/// Google's node pools: a GPU's clients are units of nvidia.com/gpu.
std::optional<GpuShares> google_shares(const Node& node, int units) {
  const auto strategy = label(node, "cloud.google.com/gke-gpu-sharing-strategy");
  const auto clients = number(label(node, "cloud.google.com/gke-max-shared-clients-per-gpu"));
  if (strategy.empty() && clients.value_or(1) < 2) return std::nullopt;
  const std::string by = strategy == "mps" ? "MPS" : strategy == "time-sharing" ? "time-slicing" : "sharing";
  return GpuShares{.by = by, .slices = false, .per_gpu = clients, .gpus = rounded_ratio(units, clients)};
}

/// HAMi writes its GPUs to an annotation: as a JSON list, or (until 2.6) "UUID,SHARES,MEMORY,…:" one after the other.
std::optional<GpuShares> hami_shares(const Node& node) {
  for (const char* key : {"hami.io/node-nvidia-register", "4pd.io/node-nvidia-register"}) {
    const auto found = node.annotations.find(key);
    if (found == node.annotations.end()) continue;
    GpuShares shares{.by = "HAMi", .slices = false, .per_gpu = std::nullopt, .gpus = std::nullopt};
    const auto json = parse_json_or_discard<nlohmann::ordered_json>(found->second);
    const auto colons = static_cast<int>(std::count(found->second.begin(), found->second.end(), ':'));
    const int gpus = json.is_array() ? static_cast<int>(json.size()) : colons;
    if (gpus > 0) shares.gpus = gpus;
    return shares;
  }
  return std::nullopt;
}

/// The profile of MIG slices that are offered as whole GPUs (mig.strategy single): "1g.5gb" of
/// "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb".
std::string single_profile(const Node& node, const std::string& product) {
  constexpr std::string_view mark = "-MIG-";
  const auto at = product.find(mark);
  if (label(node, "nvidia.com/mig.strategy") != "single" || at == std::string::npos) return "";
  const auto profile = product.substr(at + mark.size());
  return profile.substr(0, profile.find(in_product));
}

}  // namespace

std::optional<GpuShares> gpu_shares(const Node& node, const std::string& resource) {
  const int units = capacity_of(node, resource);
  const bool has_own_name = resource.ends_with(renamed);
  const auto plain = has_own_name ? resource.substr(0, resource.size() - renamed.size()) : resource;
  if (resource == "nvidia.com/gpu") {
    if (auto shares = hami_shares(node)) return shares;
    if (auto shares = google_shares(node, units)) return shares;
  }
  const auto product = label(node, plain + ".product");
  const auto strategy = label(node, plain + ".sharing-strategy");
  const auto count = number(label(node, plain + ".count"));
  const auto profile = plain == "nvidia.com/gpu" ? single_profile(node, product) : "";
  const bool more_than_there_are = profile.empty() && count && units > *count;
  // Some of the node's GPUs may be shared under the other name, and these not.
  const bool named_apart = !has_own_name && offers(node, plain + std::string(renamed));
  const bool labelled = number(label(node, plain + ".replicas")).value_or(1) > 1 && strategy != "none";
  const bool shared =
      has_own_name || more_than_there_are ||
      (!named_apart && (labelled || strategy == "time-slicing" || strategy == "mps" || product.ends_with(in_product)));
  if (!shared && profile.empty()) return std::nullopt;
  if (!shared) return GpuShares{.by = "MIG " + profile, .slices = true, .per_gpu = std::nullopt, .gpus = std::nullopt};
  GpuShares shares;
  shares.by = strategy == "mps" ? "MPS" : strategy == "time-slicing" ? strategy : "sharing";
  const bool of_gpus = profile.empty() && plain.ends_with("/gpu");  // and not of MIG slices
  if (of_gpus) shares.gpus = count;
  shares.per_gpu = number(label(node, plain + ".replicas"));
  if (shares.per_gpu.value_or(1) < 2) shares.per_gpu = rounded_ratio(units, shares.gpus);
  if (!shares.gpus && of_gpus) shares.gpus = rounded_ratio(units, shares.per_gpu);
  return shares;
}

std::string shown(const GpuShares& shares, int units) {
  const auto text = counted(units, shares.slices ? "slice" : "share");
  return shares.gpus ? fmt::format("{} of {}", text, *shares.gpus) : text;
}

}  // namespace rv::kubernetes
