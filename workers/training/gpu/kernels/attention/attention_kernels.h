#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// Causal scaled dot-product attention with dropout of weights in one pass (Dao et al. 2022), for GPUs of compute
/// capability 9.0 and heads of width 64. Query, key and value are side by side in one tensor of samples × length × 3 ·
/// heads · 64, and so are their gradients. Dropout drops the same weights as on the host.
struct AttentionSizes {
  static constexpr int width = 64;

  GpuType type = GpuType::bf16;  ///< bf16 or fp16
  int samples = 1, length = 1, heads = 1;
};

/// The number of words in `kept` below.
constexpr std::size_t attention_kept_words(const AttentionSizes& sizes) {
  const auto blocks = static_cast<std::size_t>((sizes.length + 63) / 64);
  return static_cast<std::size_t>(sizes.samples) * static_cast<std::size_t>(sizes.heads) * blocks * (blocks + 1) / 2 *
         128;
}

/// `y`: samples × length × heads · 64. For the backward pass it writes `statistics`, samples × heads × length, and with
/// dropout `kept`, the kept weights.
void causal_attention(const AttentionSizes& sizes, const void* qkv, const GpuDropout& dropout, const StepState* state,
                      void* y, float* statistics, std::uint32_t* kept, cudaStream_t stream);
/// The number of floats in `columns` below.
constexpr std::size_t attention_column_floats(const AttentionSizes& sizes) {
  const auto blocks = static_cast<std::size_t>((sizes.length + 63) / 64);
  return static_cast<std::size_t>(sizes.samples) * blocks * 6 * static_cast<std::size_t>(sizes.heads) *
         AttentionSizes::width;
}

/// Gives the same bits every time: nothing is added atomically. `sums`: workspace of the size of `statistics`.
/// `dcolumns` (may be null): the sums over dqkv's columns, with the workspace `columns`.
void causal_attention_back(const AttentionSizes& sizes, const void* qkv, const void* y, const void* dy,
                           const float* statistics, const GpuDropout& dropout, const std::uint32_t* kept, float* sums,
                           void* dqkv, float* columns, float* dcolumns, cudaStream_t stream);

}  // namespace rv::workers
