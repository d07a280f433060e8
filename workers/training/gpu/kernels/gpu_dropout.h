#pragma once

#include <cstdint>

namespace rv::workers {

/// Dropout on the GPU: which elements, by the same hash as on the host.
struct GpuDropout {
  std::uint32_t kept = 65536;
  std::uint64_t base = 0, layer = 0;  ///< the key is made of these and the step
};

}  // namespace rv::workers
