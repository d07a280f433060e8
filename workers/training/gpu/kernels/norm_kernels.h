#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// Batch normalisation on a GPU, channels innermost and a multiple of eight. Everything is enqueued; sums are added in
/// a fixed order, so the same numbers give the same bits.

/// What one layer keeps: its statistics, and what sums need on the way.
struct NormMemory {
  float* statistics;       ///< 7 × channels: mean, inverse deviation, scale, shift, and the backward pass' three
  float* partial;          ///< norm_partial_floats
  unsigned int* finished;  ///< norm_counters, zero at the start, and again after every call
};
std::size_t norm_partial_floats(int channels);
inline constexpr int norm_counters = 256;

struct NormShape {
  GpuType type;
  std::int64_t rows;
  int channels;
};

/// Means and deviations of x, into the memory; running statistics move.
void norm_statistics(const NormShape& shape, const void* x, const float* scale, const float* shift, float* running,
                     const NormMemory& memory, cudaStream_t stream);

/// The same from sums and sums of squares by channel.
void norm_finish(const NormShape& shape, const float* sums, const float* squares, const float* scale,
                 const float* shift, float* running, const NormMemory& memory, cudaStream_t stream);

/// y = x normalised, + residual and ReLU where asked. `signs`, where it is not null: a bit for each element, whether y
/// is above zero.
void norm_apply(const NormShape& shape, const void* x, const void* residual, bool relu, void* y, std::uint8_t* signs,
                const NormMemory& memory, cudaStream_t stream);

/// The maximum of 3 × 3 with stride 2 over max(0, x normalised), and which of the nine it was.
struct PoolShape {
  int n, h, w, out_h, out_w;
};
void norm_pool(const NormShape& shape, const PoolShape& pool, const void* x, void* y, std::uint8_t* places,
               const NormMemory& memory, cudaStream_t stream);

}  // namespace rv::workers
