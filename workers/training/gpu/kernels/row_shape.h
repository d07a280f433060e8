#pragma once

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// The shape of rows of channels; channels are innermost.
struct RowShape {
  GpuType type;
  std::int64_t rows;
  int width;
};

}  // namespace rv::workers
