#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/row_shape.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// Operations on elements or columns of rows of channels. All enqueue. Channels must be a multiple of eight unless
/// stated otherwise.

/// y = dropout(x), which may be in place. Bit i of `bits`: element i is kept and above zero.
void drop_rows(GpuType type, std::int64_t count, const GpuDropout& dropout, const StepState* state, const void* x,
               void* y, std::uint8_t* bits, cudaStream_t stream);
/// The number of floats for partial sums of columns.
std::size_t column_partial_floats(int width);
/// dx = dy · scale where the bit is set, else 0; may be in place. sums[c] = the sum of dx's column c, unless it is
/// null.
void mask_rows(const RowShape& shape, const void* dy, const std::uint8_t* bits, float scale, void* dx, float* sums,
               float* partial, cudaStream_t stream);

void mean_pool(GpuType type, int n, int places, int channels, const void* x, void* y, cudaStream_t stream);
void mean_pool_back(GpuType type, int n, int places, int channels, const void* dy, void* dx, cudaStream_t stream);

/// sums[c] = the sum of column c; for any width.
void column_sums(const RowShape& shape, const void* x, float* sums, float* partial, cudaStream_t stream);

}  // namespace rv::workers
