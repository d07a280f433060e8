#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rv::workers {

/// The index of what is about all devices of a run together.
inline constexpr int all_devices = -2;

/// What a measurement is about: one GPU as this process sees it, or the host's processor (index -1, no UUID).
struct Device {
  int index = -1;  ///< the CUDA ordinal in this process; Slurm renumbers, so only UUID and bus name the card
  std::string model;
  std::string uuid;        ///< GPU-xxxxxxxx-…, as nvidia-smi prints it
  std::string pci_bus_id;  ///< 00000000:4E:00.0
  std::uint64_t memory_bytes = 0;
  int compute_capability = 0;  ///< major × 10 + minor; 0 on the host
};

/// The GPUs this process may use. With none, `reason` says why in one word and `detail` in a sentence.
struct Gpus {
  std::vector<Device> devices;
  std::string driver_version;   ///< the newest CUDA the driver runs, 13.0; empty without a driver
  std::string runtime_version;  ///< the CUDA runtime linked in; empty in a build without CUDA
  std::string cublas_version;
  std::string reason;  ///< no_gpu, no_cuda_build, or driver_too_old and cuda_error (those two are errors, not skips)
  std::string detail;
};

Gpus visible_gpus();
Device host_processor();

/// 13000 → "13.0", as CUDA numbers its versions.
std::string cuda_version_text(int version);

}  // namespace rv::workers
