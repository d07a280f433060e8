#pragma once

#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "workers/training/gpu/kernels/warpgroups/drawn_dropout.cuh"

namespace rv::workers {

/// Operations on two 16-bit numbers in one word, and on one bit for each in the same positions.

template <class T>
__device__ float2 unpacked(std::uint32_t two) {
  if constexpr (std::is_same_v<T, __half>) return __half22float2(*reinterpret_cast<const __half2*>(&two));
  return {__uint_as_float(two << 16), __uint_as_float(two & 0xffff0000)};
}
/// Rounds, and replaces negative numbers by 0.
template <class T>
__device__ std::uint32_t rounded_above_zero(float first, float second) {
  std::uint32_t both = 0;
  if constexpr (std::is_same_v<T, __half>) {
    asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  } else {
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  }
  return both;
}

/// Expands bits 15 and 31 to whole halves: all ones if set.
__device__ inline std::uint32_t as_halves(std::uint32_t bits) {
  std::uint32_t halves = 0;
  // prmt with sign replication: bytes 1 and 3, twice each, filled with their highest bit.
  asm("prmt.b32 %0, %1, 0, 0xbb99;" : "=r"(halves) : "r"(bits));
  return halves;
}
constexpr std::uint32_t half_signs = 0x80008000;
/// Shifts a pair of bits (at 15 and 31) into a word of sixteen pairs, the first one lowest.
__device__ inline std::uint32_t with_pair(std::uint32_t pairs, std::uint32_t bits) {
  return pairs >> 1 | (bits & half_signs);
}
/// Returns pair `index` at bits 15 and 31.
__device__ inline std::uint32_t pair_of(std::uint32_t pairs, int index) {
  return pairs << (15 - index);
}

/// The kept elements of a warpgroup's 64 × 256: for columns from 64 · part on bits[part], where bit 2 · i + e + 16 · c
/// is for d[32 · part + 4 · i + 2 · e + c]. They are drawn in parts, while products run.
class KeptColumns {
 public:
  static constexpr int parts = 16;  ///< each of two halves

  __device__ KeptColumns(const DrawnDropout& dropout, std::uint32_t kept, int row, int column)
      : dropout_(dropout), limits_(kept / 2 * 0x10001U + 0x7fff7fffU), next_(dropout.begin_of(row, column)) {}

  /// Call it in order.
  __device__ void draw(int part, int half) {
    if (half == 0) {
#pragma unroll
      for (int i = 0; i < 4; ++i) bits[i] = part % 4 == 0 ? (i < 3 ? bits[i + 1] : 0) : bits[i];
    }
    std::uint32_t random[2];
    dropout_.draw(next_, random);
    next_ = DrawnDropout::after(next_);
    // Compares fifteen bits at once: the highest bit of limit - 1 - number is set if the number is below the limit.
#pragma unroll
    for (int i = 0; i < 2; ++i) bits[3] = with_pair(bits[3], limits_ - (random[i] >> 1 & 0x7fff7fff));
  }
  __device__ void draw_from(int part) {
    for (; part < parts; ++part) {
      draw(part, 0);
      draw(part, 1);
    }
  }
  std::uint32_t bits[4] = {0, 0, 0, 0};

 private:
  const DrawnDropout& dropout_;
  std::uint32_t limits_;
  std::uint64_t next_;
};

}  // namespace rv::workers
