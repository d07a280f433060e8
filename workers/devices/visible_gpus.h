#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// The driver shows every GPU of a host to whoever asks; a job's own are those of CUDA_VISIBLE_DEVICES: numbers in the
/// driver's order, or (the beginnings of) UUIDs. As CUDA has it, the list ends at the first entry that names no GPU.
/// Not set: all. A MIG slice's UUID ("MIG-…") names no physical GPU.
std::vector<GpuReadings> visible_gpus_of(const std::vector<GpuReadings>& all, const std::optional<std::string>& list);

}  // namespace rv::workers
