#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/devices/device.h"
#include "workers/devices/nvml.h"

namespace rv::workers {

/// A GPU or MIG slice that this process was given, found through NVML: that opens no CUDA context, which would itself
/// occupy the GPU.
struct GivenGpu {
  Device device;          ///< its index counts the given GPUs
  std::string entry;      ///< its entry in CUDA_VISIBLE_DEVICES
  bool is_slice = false;  ///< whether it is a MIG slice
  std::optional<std::uint64_t> free_bytes;
};

/// The GPUs and slices of CUDA_VISIBLE_DEVICES (`list`): indices in the driver's order, UUIDs or prefixes of UUIDs,
/// UUIDs of slices. The list ends at the first entry that matches none. As in CUDA, a GPU in MIG mode stands for its
/// first slice. If the variable is not set: all GPUs, and for a GPU in MIG mode all its slices.
std::vector<GivenGpu> given_gpus(Nvml& nvml, const std::optional<std::string>& list);

/// The UUIDs of all GPUs and slices of this machine, given or not.
std::vector<std::string> all_gpu_uuids(Nvml& nvml);

}  // namespace rv::workers
