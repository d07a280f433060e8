#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// Softmax of causal scores: matrices × length rows of `length` numbers, `stride` apart, a multiple of eight. Weights
/// to `weights`, dropped ones to `dropped`; what lies behind the diagonal is neither read nor written, but for the rest
/// of an eight, which becomes zero: `dropped` is to begin with zeros.
struct SoftmaxShape {
  GpuType type;
  std::int64_t matrices;
  int length, stride;
  int block;  ///< a multiple of eight: rows and columns of the squares that the products take, beginning at the first
};
void causal_softmax(const SoftmaxShape& shape, const void* scores, void* weights, void* dropped,
                    const GpuDropout& dropout, const StepState* state, cudaStream_t stream);
/// `back`: gradients of the dropped weights, which become those of the scores, zeros behind the diagonal to the end of
/// its block; `dropped` is made again.
void causal_softmax_back(const SoftmaxShape& shape, const void* weights, void* back, void* dropped,
                         const GpuDropout& dropout, const StepState* state, float scale, cudaStream_t stream);

}  // namespace rv::workers
