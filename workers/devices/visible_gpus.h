#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// Selects from `all` GPUs of the host, which the driver lists for every process, those in `list`, the value of
/// CUDA_VISIBLE_DEVICES: indices in the driver's order, or UUIDs, or prefixes of UUIDs. As in CUDA, the list ends at
/// the first entry that matches no GPU. Without a value all are selected. The UUID of a MIG slice ("MIG-…") matches no
/// physical GPU.
std::vector<GpuReadings> visible_gpus_of(const std::vector<GpuReadings>& all, const std::optional<std::string>& list);

}  // namespace rv::workers
