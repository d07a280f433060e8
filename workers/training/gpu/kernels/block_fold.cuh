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

/// Over the block, the same in every thread; whole warps.
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
