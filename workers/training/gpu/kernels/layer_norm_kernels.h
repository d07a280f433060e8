#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/row_shape.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// Layer normalisation of a residual sum. Everything is enqueued; the width must be a multiple of eight.

/// Replaces x by residual + dropout(x), and writes its layer norm to y. `saved`: rows × 2.
void add_layer_norm(const RowShape& shape, void* x, const void* residual, const float* scale, const float* shift,
                    const GpuDropout& dropout, const StepState* state, void* y, float* saved, cudaStream_t stream);
/// `dsum` (may be null): the sums over dx's columns. `partial`: layer_norm_partial_floats.
std::size_t layer_norm_partial_floats(int width);
void add_layer_norm_back(const RowShape& shape, const void* sum, const void* dy, const float* scale, const float* saved,
                         const GpuDropout& dropout, const StepState* state, void* dx, void* dresidual, float* dscale,
                         float* dshift, float* dsum, float* partial, cudaStream_t stream);

}  // namespace rv::workers
