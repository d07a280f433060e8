#pragma once

#include <algorithm>
#include <cstdint>

#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::workers {

/// How the blocks of batch normalisation's kernels are arranged over rows and channels, and how they sum.

constexpr int sum_threads = 512;    ///< threads of a block that computes sums
constexpr int apply_threads = 256;  ///< threads of one that does not

/// A block has `across` threads side by side, with eight channels each; its other threads process further rows.
struct Grid {
  int across, down, columns, chunks;
};

inline Grid grid_of(std::int64_t rows, int channels, int wanted, int blocks_each) {
  const int groups = channels / 8;
  int across = 1;
  while (across < 32 && across < groups) across *= 2;
  const int down = wanted / across, columns = (groups + across - 1) / across;
  const auto useful = static_cast<int>(std::min<std::int64_t>((rows + down - 1) / down, 65535));
  const int chunks = std::clamp(multiprocessors() * blocks_each / columns, 1, useful);
  return {across, down, columns, chunks};
}

/// The thread's position.
struct Place {
  __device__ Place(int across, int channels)
      : lane(threadIdx.x % across),
        group(blockIdx.y * across + lane),
        c(group * 8),
        active(c < channels),
        first(static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / across) + threadIdx.x / across),
        step(static_cast<std::int64_t>(gridDim.x) * (blockDim.x / across)) {}
  int lane, group, c;
  bool active;
  std::int64_t first, step;
};

/// Sums `a` and `b` over all rows of all blocks. Returns true in all threads of the block that ends last; the first 8 ·
/// across threads of that block have the sums of channel threadIdx.x in `total`.
__device__ inline bool sum_over_blocks(Pack a, Pack b, int across, float* partial, unsigned int* finished,
                                       float (&total)[2]) {
  constexpr int warps = sum_threads / 32;
  __shared__ float shared[2][warps * 256];
  __shared__ bool last;
  const int wide = across * 8, lane = threadIdx.x % across;
  // First over the threads of a warp that have the same channels.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    for (int off = 16; off >= across; off /= 2) {
      a.v[i] += __shfl_xor_sync(0xffffffffU, a.v[i], off);
      b.v[i] += __shfl_xor_sync(0xffffffffU, b.v[i], off);
    }
  }
  if (threadIdx.x % 32 < across) {
    const int row = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      shared[0][row * wide + lane * 8 + i] = a.v[i];
      shared[1][row * wide + lane * 8 + i] = b.v[i];
    }
  }
  __syncthreads();
  float* const mine = partial + (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x) * 2 * wide;
  for (int k = threadIdx.x; k < 2 * wide; k += sum_threads) {
    const int which = k / wide, c = k % wide;
    float sum = 0;
    for (int r = 0; r < warps; ++r) sum += shared[which][r * wide + c];
    mine[k] = sum;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(finished + blockIdx.y, 1U) == gridDim.x - 1;
  __syncthreads();
  if (!last) return false;
  __threadfence();
  const float* const all = partial + static_cast<std::int64_t>(blockIdx.y) * gridDim.x * 2 * wide;
  const int parts = sum_threads / wide, part = threadIdx.x / wide, c = threadIdx.x % wide;
  float sums[2] = {0, 0};
#pragma unroll 4
  for (unsigned int chunk = part; chunk < gridDim.x; chunk += parts) {
    sums[0] += __ldcg(all + chunk * 2 * wide + c);
    sums[1] += __ldcg(all + chunk * 2 * wide + wide + c);
  }
  shared[0][threadIdx.x] = sums[0];
  shared[1][threadIdx.x] = sums[1];
  __syncthreads();
  total[0] = total[1] = 0;
  if (threadIdx.x < wide) {
    for (int p = 0; p < parts; ++p) {
      total[0] += shared[0][p * wide + threadIdx.x];
      total[1] += shared[1][p * wide + threadIdx.x];
    }
  }
  if (threadIdx.x == 0) finished[blockIdx.y] = 0;
  return true;
}

}  // namespace rv::workers
