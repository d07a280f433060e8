#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// Looks up rows of a table by tokens, adds the positions, and applies dropout. Everything is enqueued; the width must
/// be a multiple of eight.
struct EmbeddingShape {
  GpuType type;
  std::int64_t rows;
  int sequence, width, vocabulary;
};
/// `positions`: sequence × width floats.
void embed(const EmbeddingShape& shape, const int* tokens, const float* table, const float* positions,
           const GpuDropout& dropout, const StepState* state, void* y, cudaStream_t stream);
void embed_back(const EmbeddingShape& shape, const int* tokens, const void* dy, const GpuDropout& dropout,
                const StepState* state, float* dtable, cudaStream_t stream);

}  // namespace rv::workers
