#include "workers/health/fabric.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::workers;

namespace {

GpuReadings gpu(const std::string& uuid, const std::string& model, std::map<std::string, std::uint64_t> numbers) {
  GpuReadings readings;
  readings.uuid = uuid;
  readings.model = model;
  readings.numbers = std::move(numbers);
  readings.texts["fabric_cluster"] = "00112233445566778899aabbccddeeff";
  return readings;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("links are compared with the model, and only on boards with a known number of links") {
  CHECK(nvlink_findings(gpu("a", "NVIDIA H100 80GB HBM3", {{"nvlinks_active", 18}, {"nvlink_speed_mbps", 26562}}))
            .empty());
  CHECK(nvlink_findings(gpu("a", "NVIDIA H100 80GB HBM3", {{"nvlinks_active", 17}})) ==
        Texts{"17 NVLinks of 18 that this model has"});
  // NVML's list of inactive links has its own finding.
  CHECK(nvlink_findings(gpu("a", "NVIDIA H100 80GB HBM3", {{"nvlinks_active", 17}, {"nvlinks_inactive", 1}})).empty());
  // The driver reports 25,781 for links that nvidia-smi prints as 25 GB/s.
  CHECK(nvlink_findings(gpu("a", "NVIDIA A100-SXM4-80GB", {{"nvlinks_active", 12}, {"nvlink_speed_mbps", 25781}}))
            .empty());
  // Cards with bridges, an unknown model, and a container that hides the links.
  CHECK(nvlink_findings(gpu("a", "NVIDIA H200 NVL", {{"nvlinks_active", 12}})).empty());
  CHECK(nvlink_findings(gpu("a", "NVIDIA Z999", {{"nvlinks_active", 3}, {"nvlink_speed_mbps", 1}})).empty());
  CHECK(nvlink_findings(gpu("a", "NVIDIA H200", {{"nvlinks_active", 0}})).empty());
}

TEST_CASE("a GPU must have completed its registration with the fabric, and each bit of its health is explained") {
  const auto findings = [](std::uint64_t state, std::uint64_t status, std::uint64_t mask) {
    return fabric_findings(
        gpu("a", "NVIDIA H200", {{"fabric_state", state}, {"fabric_status", status}, {"fabric_health_mask", mask}}));
  };
  CHECK(findings(0, 0, 0).empty());  // not supported
  CHECK(findings(3, 0, 0).empty());
  CHECK(findings(3, 0, 0x1aa).empty());  // all bits "false", the configuration "none"
  CHECK(findings(1, 0, 0) == Texts{"its registration with the NVLink fabric has not started; CUDA calls return error "
                                   "802 until it has completed"});
  CHECK(findings(2, 0, 0).size() == 1);
  CHECK(findings(3, 999, 0) == Texts{"its registration with the NVLink fabric ended with NVML's error 999"});
  CHECK(findings(3, 0, 0x1) == Texts{"its NVLink bandwidth is degraded"});
  CHECK(findings(3, 0, 0x14) == Texts{"a route is being recovered", "a route is unhealthy"});
  CHECK(findings(3, 0, 0x500) == Texts{"it has too few NVLinks"});
  CHECK(findings(3, 0, 0xf00) == Texts{"its configuration is wrong (NVML's value 15)"});
}

TEST_CASE("a recovery action is never silent, and an unknown one is named by its number") {
  CHECK(recovery_action_text(2) == "the driver asks to restart the node");
  CHECK(recovery_action_text(77).find("77") != std::string::npos);
}

TEST_CASE("registered GPUs belong to one clique, and those outside the largest one are named") {
  const auto in = [](const std::string& uuid, std::uint64_t clique) {
    return gpu(uuid, "NVIDIA H200", {{"fabric_state", 3}, {"fabric_status", 0}, {"fabric_clique", clique}});
  };
  CHECK_FALSE(judge_cliques({}).has_value());
  CHECK_FALSE(judge_cliques({in("a", 1)}).has_value());
  CHECK(judge_cliques({in("a", 1), in("b", 1)})->verdict == Verdict::pass);
  const auto apart = judge_cliques({in("a", 1), in("b", 7), in("c", 1)});
  REQUIRE(apart.has_value());
  CHECK(apart->verdict == Verdict::fail);
  CHECK(apart->reason == "1 of 3 GPUs are in another NVLink clique than the others: b");
  auto other_cluster = in("b", 1);
  other_cluster.texts["fabric_cluster"] = "ff";
  CHECK(judge_cliques({in("a", 1), other_cluster})->verdict == Verdict::fail);
}
