#pragma once

#include <cuda.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// A tensor map for copies of parts of a matrix into shared memory: `box_rows` rows of 64 elements of two bytes at a
/// time, in the layout of warpgroup_product.cuh. Elements past the end become 0. Throws std::runtime_error.
CUtensorMap tensor_map(GpuType type, const void* first, std::int64_t rows, std::int64_t columns, int box_rows);

}  // namespace rv::workers
