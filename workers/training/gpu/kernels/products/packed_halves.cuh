#pragma once

#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "workers/training/gpu/kernels/warpgroups/drawn_dropout.cuh"

namespace rv::workers {

/// Two numbers of 16 bits in one word, and a bit for each, in the same places.

template <class T>
__device__ float2 unpacked(std::uint32_t two) {
  if constexpr (std::is_same_v<T, __half>) return __half22float2(*reinterpret_cast<const __half2*>(&two));
  return {__uint_as_float(two << 16), __uint_as_float(two & 0xffff0000)};
}
/// Rounded, and 0 in place of what is negative.
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

/// Bits 15 and 31 as whole halves: all ones where they are set.
__device__ inline std::uint32_t as_halves(std::uint32_t bits) {
  std::uint32_t halves = 0;
  // Bytes 1 and 3, twice each, their highest bits in place of all.
  asm("prmt.b32 %0, %1, 0, 0xbb99;" : "=r"(halves) : "r"(bits));
  return halves;
}
constexpr std::uint32_t half_signs = 0x80008000;
/// Room for sixteen pairs of bits, the first one lowest: the next pair comes in at 15 and 31.
__device__ inline std::uint32_t with_pair(std::uint32_t pairs, std::uint32_t bits) {
  return pairs >> 1 | (bits & half_signs);
}
/// Pair `index` at 15 and 31.
__device__ inline std::uint32_t pair_of(std::uint32_t pairs, int index) {
  return pairs << (15 - index);
}

/// Which of a warpgroup's 64 × 256 elements are kept: of columns 64 · part … bits[part], where bit 2 · i + e + 16 · c
/// is for d[32 · part + 4 · i + 2 · e + c]. It is drawn in parts, beside the products.
class KeptColumns {
 public:
  static constexpr int parts = 16;  ///< each of two halves

  __device__ KeptColumns(const DrawnDropout& dropout, std::uint32_t kept, int row, int column)
      : dropout_(dropout), limits_(kept / 2 * 0x10001U + 0x7fff7fffU), next_(dropout.begin_of(row, column)) {}

  /// In order.
  __device__ void draw(int part, int half) {
    if (half == 0) {
#pragma unroll
      for (int i = 0; i < 4; ++i) bits[i] = part % 4 == 0 ? (i < 3 ? bits[i + 1] : 0) : bits[i];
    }
    std::uint32_t random[2];
    dropout_.draw(next_, random);
    next_ = DrawnDropout::after(next_);
    // Fifteen bits at once: what is left of the limit less one has its highest bit set where they are below it.
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
