#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// Softmax of causal scores: heads × length rows of `length` numbers, `stride` apart; the rest of a row becomes zero.
/// Weights to `weights`, dropped ones to `dropped`, which may be the same where nothing is dropped.
struct SoftmaxShape {
  GpuType type;
  std::int64_t matrices;
  int length, stride;
};
void causal_softmax(const SoftmaxShape& shape, const void* scores, void* weights, void* dropped,
                    const GpuDropout& dropout, const StepState* state, cudaStream_t stream);
/// `back`: gradients of the dropped weights, which become those of the scores; `dropped` is made again.
void causal_softmax_back(const SoftmaxShape& shape, const void* weights, void* back, void* dropped,
                         const GpuDropout& dropout, const StepState* state, float scale, cudaStream_t stream);

}  // namespace rv::workers
