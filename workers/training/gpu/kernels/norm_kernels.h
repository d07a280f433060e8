#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// Batch normalisation on a GPU; channels are innermost and a multiple of eight. Everything is enqueued. Sums are added
/// in a fixed order, so the same numbers give the same bits.

/// The memory of one layer: its statistics, and space for partial sums.
struct NormMemory {
  float* statistics;       ///< 7 × channels: mean, inverse deviation, scale, shift, and three of the backward pass
  float* partial;          ///< norm_partial_floats
  unsigned int* finished;  ///< norm_counters; zero initially, and again after every call
};
std::size_t norm_partial_floats(int channels);
inline constexpr int norm_counters = 256;

struct NormShape {
  GpuType type;
  std::int64_t rows;
  int channels;
};

/// Computes means and inverse deviations of x into `memory`, and updates the running statistics.
void norm_statistics(const NormShape& shape, const void* x, const float* scale, const float* shift, float* running,
                     const NormMemory& memory, cudaStream_t stream);

/// The same, from the sums and sums of squares of each channel.
void norm_finish(const NormShape& shape, const float* sums, const float* squares, const float* scale,
                 const float* shift, float* running, const NormMemory& memory, cudaStream_t stream);

/// y = normalised x, optionally + residual and ReLU. `signs` (may be null): one bit per element, set if y is above
/// zero.
void norm_apply(const NormShape& shape, const void* x, const void* residual, bool relu, void* y, std::uint8_t* signs,
                const NormMemory& memory, cudaStream_t stream);

/// The maximum over 3 × 3 with stride 2 of max(0, normalised x), and the index (0 to 8) of the maximum.
struct PoolShape {
  int n, h, w, out_h, out_w;
};
void norm_pool(const NormShape& shape, const PoolShape& pool, const void* x, void* y, std::uint8_t* places,
               const NormMemory& memory, cudaStream_t stream);

}  // namespace rv::workers
