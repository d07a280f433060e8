#pragma once

#include <cstdint>

#include "workers/training/gpu/kernels/warpgroups/drawn_dropout.cuh"

namespace rv::workers {

/// The attention weights that dropout keeps, 64 queries by 64 keys at a time, in the forward pass: one word per thread
/// of a warpgroup, whose bit k is for d[k] of an Accumulator with queries as its rows.
class KeptWeights {
 public:
  /// `first_row`: the number of query 0 among the rows of all weights.
  __device__ KeptWeights(const GpuDropout& dropout, const StepState* state, std::int64_t first_row, int length)
      : drawn_(dropout, state, first_row, length), limit_(dropout.kept << 16) {}

  __device__ std::uint32_t word(int first_query, int first_key) const {
    auto next = drawn_.begin_of(first_query, first_key);
    std::uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      std::uint32_t rows[2];
      drawn_.draw(next, rows);
      next = DrawnDropout::after(next);
      bits |= pair(rows[0]) << (4 * i) | pair(rows[1]) << (4 * i + 2);
    }
    return bits;
  }

 private:
  /// Bit 0: the low half is kept; bit 1: the high half.
  __device__ std::uint32_t pair(std::uint32_t halves) const {
    return (halves << 16 < limit_ ? 1U : 0U) | (halves < limit_ ? 2U : 0U);
  }

  DrawnDropout drawn_;
  std::uint32_t limit_;
};

/// The same with keys as the accumulator's rows, from the 128 words of 64 queries by 64 keys: bit kept_bit(k) is for
/// d[k].
__device__ inline std::uint32_t kept_by_keys(const std::uint32_t* words) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) % 128 / 32;
  const std::uint32_t* const own = words + 8 * (lane % 4) + lane / 8;
  const int shift = 8 * warp + lane / 4 % 2;
  std::uint32_t bits = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const auto even_query = own[32 * i] >> shift & 0x55, odd_query = own[32 * i + 4] >> shift & 0x55;
    bits |= (even_query | odd_query << 1) << (8 * i);
  }
  return bits;
}
__device__ constexpr int kept_bit(int k) {
  return k / 8 * 8 + k / 2 % 2 * 4 + k / 4 % 2 * 2 + k % 2;
}

}  // namespace rv::workers
