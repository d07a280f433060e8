#pragma once

#include <cstdint>

namespace rv::ppo {

/// Of a block of a kernel, where nothing else is said.
constexpr int threads = 256;

inline unsigned int blocks_for(std::int64_t count, int each = threads) {
  return static_cast<unsigned int>((count + each - 1) / each);
}

/// The sum over a block of `size` threads, at its thread 0; in the same order every time.
template <int size>
__device__ inline double block_sum(double value) {
  __shared__ double parts[size];
  __syncthreads();
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = size / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  return parts[0];
}

}  // namespace rv::ppo
