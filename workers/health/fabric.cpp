#include "workers/health/fabric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

namespace rv::workers {
namespace {

// NVML_GPU_FABRIC_STATE_*
constexpr std::uint64_t not_supported = 0, not_started = 1, completed = 3;

// NVML_GPU_FABRIC_HEALTH_MASK_*: two bits each, of which the value 1 is "true"; four bits for the configuration.
struct HealthBits {
  unsigned shift;
  const char* text;
};
constexpr std::array health_bits = {HealthBits{0, "its NVLink bandwidth is degraded"},
                                    HealthBits{2, "a route is being recovered"}, HealthBits{4, "a route is unhealthy"},
                                    HealthBits{6, "a memory access timed out and is being recovered"}};
constexpr unsigned configuration_shift = 8;
constexpr std::array configuration_texts = {"",
                                            "",
                                            "its system GUID is wrong",
                                            "its chassis serial number is wrong",
                                            "it is in no partition",
                                            "it has too few NVLinks"};

bool is_registered(const GpuReadings& gpu) {
  return gpu["fabric_state"] == std::optional<std::uint64_t>(completed) &&
         gpu["fabric_status"] == std::optional<std::uint64_t>(0);
}

std::string configuration_text(std::uint64_t value) {
  if (value < configuration_texts.size()) return configuration_texts[value];
  return fmt::format("its configuration is wrong (NVML's value {})", value);
}

/// NVLinks of a GPU that is soldered to a board with NVLink, and the speed of each link in MB/s, one way.
struct NvlinkModel {
  unsigned links, mbps;
};

/// Nothing for a model whose links depend on the machine (PCIe cards with bridges) or that is not listed.
/// The figures are those that `nvidia-smi nvlink --status` prints on these modules.
std::optional<NvlinkModel> nvlink_model(const std::string& gpu_model) {
  struct Row {
    const char* name;
    NvlinkModel links;
  };
  // Whole names: "NVIDIA H200 NVL" and "NVIDIA H100 PCIe" are cards whose links depend on bridges.
  static constexpr std::array rows = {Row{"Tesla V100-SXM2-16GB", {6, 25781}},
                                      Row{"Tesla V100-SXM2-32GB", {6, 25781}},
                                      Row{"NVIDIA A100-SXM4-40GB", {12, 25000}},
                                      Row{"NVIDIA A100-SXM4-80GB", {12, 25000}},
                                      Row{"NVIDIA H100 80GB HBM3", {18, 26562}},
                                      Row{"NVIDIA H200", {18, 26562}},
                                      Row{"NVIDIA B200", {18, 53125}}};
  const auto* const row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return gpu_model == one.name; });
  return row == rows.end() ? std::nullopt : std::optional(row->links);
}

}  // namespace

std::vector<std::string> nvlink_findings(const GpuReadings& gpu) {
  const auto model = nvlink_model(gpu.model);
  const auto active = gpu["nvlinks_active"].value_or(0);
  if (!model || active == 0) return {};
  std::vector<std::string> findings;
  // Links that NVML lists as inactive are a finding of their own; these are missing from its list.
  const auto listed = active + gpu["nvlinks_inactive"].value_or(0);
  if (listed < model->links) {
    findings.push_back(fmt::format("{} NVLinks of {} that this model has", listed, model->links));
  }
  // The driver rounds: 26,562 and 25,000 are also reported as 26,560 and 25,781.
  if (const auto speed = gpu["nvlink_speed_mbps"]; speed && *speed * 100 < std::uint64_t{model->mbps} * 95) {
    findings.push_back(fmt::format("NVLinks at {} MB/s, but this model has {} MB/s", *speed, model->mbps));
  }
  return findings;
}

std::vector<std::string> fabric_findings(const GpuReadings& gpu) {
  const auto state = gpu["fabric_state"].value_or(not_supported);
  if (state == not_supported) return {};
  if (state != completed) {
    return {
        fmt::format("its registration with the NVLink fabric {}; CUDA calls return error 802 until it has completed",
                    state == not_started ? "has not started" : "is in progress")};
  }
  std::vector<std::string> findings;
  if (const auto status = gpu["fabric_status"].value_or(0); status != 0) {
    findings.push_back(fmt::format("its registration with the NVLink fabric ended with NVML's error {}", status));
  }
  const auto mask = gpu["fabric_health_mask"].value_or(0);
  for (const auto& [shift, text] : health_bits) {
    if ((mask >> shift & 3U) == 1) findings.emplace_back(text);
  }
  if (const auto value = mask >> configuration_shift & 0xfU; value > 1) findings.push_back(configuration_text(value));
  return findings;
}

std::string recovery_action_text(std::uint64_t action) {
  static constexpr std::array texts = {"nothing", "reset the GPU", "restart the node",
                                       "end all peer-to-peer traffic and ask again",
                                       "let no new work begin, and reset the GPU when its work has ended"};
  if (action < texts.size()) return fmt::format("the driver asks to {}", texts[action]);
  return fmt::format("the driver asks for a recovery action that is not known here (NVML's value {})", action);
}

std::optional<Measurement> judge_cliques(const std::vector<GpuReadings>& gpus) {
  std::map<std::string, std::vector<std::string>> groups;  // cluster and clique → UUIDs
  std::size_t registered = 0;
  for (const auto& gpu : gpus) {
    if (!is_registered(gpu)) continue;
    ++registered;
    const auto cluster = gpu.texts.find("fabric_cluster");
    groups[fmt::format("{} {}", cluster == gpu.texts.end() ? "" : cluster->second, gpu["fabric_clique"].value_or(0))]
        .push_back(gpu.uuid);
  }
  if (registered < 2) return std::nullopt;
  Measurement m;
  m.suite = "health";
  m.name = "fabric_cliques";
  m.device.model = "host";
  m.params["gpus"] = registered;
  m.params["cliques"] = groups.size();
  m.verdict = groups.size() == 1 ? Verdict::pass : Verdict::fail;
  if (groups.size() == 1) return m;
  const auto largest = std::max_element(groups.begin(), groups.end(),
                                        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  std::vector<std::string> others;
  for (auto group = groups.begin(); group != groups.end(); ++group) {
    if (group != largest) others.insert(others.end(), group->second.begin(), group->second.end());
  }
  m.reason = fmt::format("{} of {} GPUs are in another NVLink clique than the others: {}", others.size(), registered,
                         fmt::join(others, ", "));
  return m;
}

}  // namespace rv::workers
