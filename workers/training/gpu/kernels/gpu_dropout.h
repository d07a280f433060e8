#pragma once

#include <cstdint>

namespace rv::workers {

/// Dropout on the GPU, with the same hash as on the host.
struct GpuDropout {
  std::uint32_t kept = 65536;
  std::uint64_t base = 0, layer = 0;  ///< the key is computed from these and the step
};

}  // namespace rv::workers
