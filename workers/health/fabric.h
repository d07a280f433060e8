// What NVML says about a GPU's NVLinks and about its registration with the NVLink fabric.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"
#include "workers/report/report.h"

namespace rv::workers {

/// Findings about the count and the speed of the active links, compared with those of the GPU's model. Without an
/// active link there are no findings: a container or a MIG mode can hide the links.
std::vector<std::string> nvlink_findings(const GpuReadings& gpu);

/// Findings about the registration with the fabric (state, status) and the health mask of
/// nvmlDeviceGetGpuFabricInfoV. A GPU without such a fabric has no findings.
std::vector<std::string> fabric_findings(const GpuReadings& gpu);

/// What the driver asks for, from nvmlDeviceGpuRecoveryAction_t. `action` is not zero.
std::string recovery_action_text(std::uint64_t action);

/// Whether all GPUs that are registered with the fabric are in one cluster and one clique. Fails with the UUIDs of the
/// smaller groups. Nothing if fewer than two GPUs are registered.
std::optional<Measurement> judge_cliques(const std::vector<GpuReadings>& gpus);

}  // namespace rv::workers
