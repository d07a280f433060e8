#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rv::workers {

/// The device index of a measurement that concerns all devices of a run together.
inline constexpr int all_devices = -2;

/// The device of a measurement: a GPU as this process sees it, or the host's processor (index -1, no UUID).
struct Device {
  /// the CUDA ordinal in this process; Slurm renumbers GPUs, so only the UUID and the bus ID identify the card
  int index = -1;
  std::string model;
  std::string uuid;        ///< GPU-xxxxxxxx-…, as nvidia-smi prints it
  std::string pci_bus_id;  ///< 00000000:4E:00.0
  std::uint64_t memory_bytes = 0;
  int compute_capability = 0;  ///< major × 10 + minor; 0 on the host
};

/// The GPUs that this process may use. If there are none, `reason` is the reason as one word and `detail` as a
/// sentence.
struct Gpus {
  std::vector<Device> devices;
  std::string driver_version;   ///< the newest CUDA version that the driver supports, "13.0"; empty without a driver
  std::string runtime_version;  ///< the CUDA runtime linked in; empty in a build without CUDA
  std::string cublas_version;
  std::string reason;  ///< no_gpu or no_cuda_build (a skip); driver_too_old or cuda_error (an error)
  std::string detail;
};

Gpus visible_gpus();
Device host_processor();

/// Converts CUDA's version number to text: 13000 → "13.0".
std::string cuda_version_text(int version);

}  // namespace rv::workers
