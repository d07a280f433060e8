#pragma once

#include <cmath>

namespace rv::workers {

__device__ inline float warp_sum(float x) {
#pragma unroll
  for (int i = 16; i > 0; i /= 2) x += __shfl_xor_sync(0xffffffffU, x, i);
  return x;
}
__device__ inline float warp_max(float x) {
#pragma unroll
  for (int i = 16; i > 0; i /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffU, x, i));
  return x;
}

/// The sum over the block, in every thread; the block must have whole warps. `room`: 32 numbers in shared memory that
/// no thread may still be reading: alternate between two arrays.
__device__ inline float block_sum(float x, float* room) {
  x = warp_sum(x);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = x;
  __syncthreads();
  float sum = room[0];
  for (unsigned int i = 1; i < (blockDim.x + 31) / 32; ++i) sum += room[i];
  return sum;
}

/// The same for two numbers at once.
__device__ inline void block_sums(float& x, float& y, float (&room)[2][32]) {
  x = warp_sum(x);
  y = warp_sum(y);
  if (threadIdx.x % 32 == 0) {
    room[0][threadIdx.x / 32] = x;
    room[1][threadIdx.x / 32] = y;
  }
  __syncthreads();
  x = room[0][0];
  y = room[1][0];
  for (unsigned int i = 1; i < (blockDim.x + 31) / 32; ++i) {
    x += room[0][i];
    y += room[1][i];
  }
}

/// The maximum or the sum of x over the block, in every thread; the block must have whole warps.
template <bool maximum>
__device__ inline float block_fold(float x) {
  __shared__ float shared[33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  x = maximum ? warp_max(x) : warp_sum(x);
  if (lane == 0) shared[warp] = x;
  __syncthreads();
  if (warp == 0) {
    const float none = maximum ? -INFINITY : 0.0F;
    x = lane < warps ? shared[lane] : none;
    x = maximum ? warp_max(x) : warp_sum(x);
    if (lane == 0) shared[32] = x;
  }
  __syncthreads();
  x = shared[32];
  __syncthreads();
  return x;
}

}  // namespace rv::workers
