#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/row_shape.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// What is done to single elements, or to columns, of rows of channels. All of these enqueue; channels are a multiple
/// of eight unless said otherwise.

/// y = x dropped; bit i of `bits`: element i is kept and above zero. In place or not.
void drop_rows(GpuType type, std::int64_t count, const GpuDropout& dropout, const StepState* state, const void* x,
               void* y, std::uint8_t* bits, cudaStream_t stream);
/// What sums of columns take for their parts.
std::size_t column_partial_floats(int width);
/// dx = dy where the bit is set, times `scale`, in place or not. sums[c] = the sum of dx's column c, unless it is null.
void mask_rows(const RowShape& shape, const void* dy, const std::uint8_t* bits, float scale, void* dx, float* sums,
               float* partial, cudaStream_t stream);

void mean_pool(GpuType type, int n, int places, int channels, const void* x, void* y, cudaStream_t stream);
void mean_pool_back(GpuType type, int n, int places, int channels, const void* dy, void* dx, cudaStream_t stream);

/// sums[c] = the sum of column c; any width.
void column_sums(const RowShape& shape, const void* x, float* sums, float* partial, cudaStream_t stream);

}  // namespace rv::workers
