#pragma once

#include "workers/devices/random_input.h"
#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/step_state.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// The same key as that of dropout_key.
__device__ inline std::uint64_t key_of(const GpuDropout& dropout, const StepState* state) {
  return scramble(dropout.base ^ (dropout.layer << 40 ^ static_cast<std::uint64_t>(state->step)));
}

/// Bit i: element first + i is kept.
__device__ inline unsigned int kept_bits(std::uint64_t key, std::uint64_t first, std::uint32_t kept) {
  unsigned int bits = 0;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const auto random = dropout_bits(key, first + 4 * half);
#pragma unroll
    for (int i = 0; i < 4; ++i) bits |= ((random >> (16 * i) & 0xffff) < kept ? 1U : 0U) << (4 * half + i);
  }
  return bits;
}

__device__ inline float drop_scale(const GpuDropout& dropout) {
  return 65536.0F / static_cast<float>(dropout.kept);
}

}  // namespace rv::workers
