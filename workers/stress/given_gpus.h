#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/devices/device.h"
#include "workers/devices/nvml.h"

namespace rv::workers {

/// A GPU or MIG slice that this process was given, as the driver's management library knows it: finding out opens no
/// CUDA context, which would be a guest on the GPU itself.
struct GivenGpu {
  Device device;          ///< its index is the place among those given
  std::string entry;      ///< what stands for it in CUDA_VISIBLE_DEVICES
  bool is_slice = false;  ///< of MIG
  std::optional<std::uint64_t> free_bytes;
};

/// Those of CUDA_VISIBLE_DEVICES (`list`): numbers in the driver's order, beginnings of UUIDs, UUIDs of slices; it ends
/// at the first entry that names none. A GPU in MIG mode stands for its first slice there, as CUDA has it. Not set:
/// all, and of a GPU in MIG mode its slices.
std::vector<GivenGpu> given_gpus(Nvml& nvml, const std::optional<std::string>& list);

/// Every GPU and slice of this machine, given or not, by its UUID.
std::vector<std::string> all_gpu_uuids(Nvml& nvml);

}  // namespace rv::workers
