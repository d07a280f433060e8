#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// Softmax of causal scores: matrices × length rows of `length` numbers; rows are `stride` apart, a multiple of eight.
/// Writes the weights to `weights`, and those after dropout to `dropped`. Elements above the diagonal are neither read
/// nor written, except that the rest of a group of eight becomes zero: `dropped` must be zero initially.
struct SoftmaxShape {
  GpuType type;
  std::int64_t matrices;
  int length, stride;
  int block;  ///< size of the square blocks that the products use, a multiple of eight
};
void causal_softmax(const SoftmaxShape& shape, const void* scores, void* weights, void* dropped,
                    const GpuDropout& dropout, const StepState* state, cudaStream_t stream);
/// `back`: gradients of the weights after dropout; replaced by those of the scores, with zeros from the diagonal to the
/// end of its block. `dropped` is computed again.
void causal_softmax_back(const SoftmaxShape& shape, const void* weights, void* back, void* dropped,
                         const GpuDropout& dropout, const StepState* state, float scale, cudaStream_t stream);

}  // namespace rv::workers
