#pragma once

#include <cstdint>

#include "workers/training/gpu/kernels/attention/warpgroup_product.cuh"
#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/network/network.h"

namespace rv::workers {

/// Which weights of attention are kept, 64 queries by 64 keys at a time, as the forward pass decides it: a word for
/// each thread of a warpgroup, whose bit k is for d[k] of an Accumulator with queries as its rows.
class KeptWeights {
 public:
  /// `first_row`: the number of query 0 among the rows of all weights.
  __device__ KeptWeights(const GpuDropout& dropout, const StepState* state, std::int64_t first_row, int length)
      : key_(key_of(dropout, state)),
        row_(dropout_row(length) / 4),
        first_(static_cast<std::uint64_t>(first_row) * static_cast<std::uint64_t>(row_)),
        limit_(dropout.kept << 16) {}

  /// A hash of dropout_bits is for four keys of one query. It is computed once: threads next to each other, one with
  /// the first of its two rows and one with the second, exchange halves.
  __device__ std::uint32_t word(int first_query, int first_key) const {
    const int lane = static_cast<int>(threadIdx.x) % 32,
              line = 16 * (static_cast<int>(threadIdx.x) % 128 / 32) + lane / 4;
    const bool odd = (lane & 1) != 0;
    const int query = first_query + line + (odd ? 8 : 0), four_keys = first_key / 4 + (lane >> 1 & 1);
    const auto begin = (first_ + static_cast<std::uint64_t>(query * row_ + four_keys)) * dropout_spread;
    std::uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const auto hash = dropout_hash(key_, begin + 2 * i * dropout_spread);
      const auto low = static_cast<std::uint32_t>(hash), high = static_cast<std::uint32_t>(hash >> 32);
      const auto other = __shfl_xor_sync(0xffffffff, odd ? low : high, 1);
      bits |= pair(odd ? other : low) << (4 * i) | pair(odd ? high : other) << (4 * i + 2);
    }
    return bits;
  }

 private:
  /// Bit 0: the low half is kept; bit 1: the high half.
  __device__ std::uint32_t pair(std::uint32_t halves) const {
    return (halves << 16 < limit_ ? 1U : 0U) | (halves < limit_ ? 2U : 0U);
  }

  std::uint64_t key_;
  int row_;
  std::uint64_t first_;
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
