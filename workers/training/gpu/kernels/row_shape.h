#pragma once

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// Rows of channels, which lie innermost.
struct RowShape {
  GpuType type;
  std::int64_t rows;
  int width;
};

}  // namespace rv::workers
