#pragma once

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/network/network.h"

namespace rv::workers {

/// What dropout draws for the elements of a warpgroup's accumulators, in a matrix with rows of so many elements.
class DrawnDropout {
 public:
  /// `first_row`: the number of row 0 among the rows of all that the layer drops.
  __device__ DrawnDropout(const GpuDropout& dropout, const StepState* state, std::int64_t first_row, int length)
      : key_(key_of(dropout, state)),
        row_(dropout_row(length) / 4),
        first_(static_cast<std::uint64_t>(first_row) * static_cast<std::uint64_t>(row_)) {}

  /// What `draw` begins with, of 64 rows from this row and column on.
  __device__ std::uint64_t begin_of(int row, int column) const {
    const int lane = static_cast<int>(threadIdx.x) % 32,
              line = 16 * (static_cast<int>(threadIdx.x) % 128 / 32) + lane / 4;
    const int own = row + line + 8 * (lane & 1), four = column / 4 + (lane >> 1 & 1);
    return (first_ + static_cast<std::uint64_t>(own * row_ + four)) * dropout_spread;
  }
  /// What begins eight columns further on.
  __device__ static std::uint64_t after(std::uint64_t begin) { return begin + 2 * dropout_spread; }
  /// Two numbers of sixteen bits for each of the thread's two rows: for its two columns of eight. A hash of
  /// dropout_bits is for four columns of one row. It is computed once: threads next to each other, one with the first
  /// of its two rows and one with the second, exchange halves.
  __device__ void draw(std::uint64_t begin, std::uint32_t (&rows)[2]) const {
    const bool odd = (threadIdx.x & 1) != 0;
    const auto hash = dropout_hash(key_, begin);
    const auto low = static_cast<std::uint32_t>(hash), high = static_cast<std::uint32_t>(hash >> 32);
    const auto other = __shfl_xor_sync(0xffffffff, odd ? low : high, 1);
    rows[0] = odd ? other : low;
    rows[1] = odd ? high : other;
  }

 private:
  std::uint64_t key_;
  int row_;
  std::uint64_t first_;
};

}  // namespace rv::workers
