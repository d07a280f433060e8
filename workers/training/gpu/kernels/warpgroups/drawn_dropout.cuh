#pragma once

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/network/network.h"

namespace rv::workers {

/// The random numbers of dropout for the elements of a warpgroup's accumulators, in a matrix with rows of `length`
/// elements.
class DrawnDropout {
 public:
  /// `first_row`: the number of row 0 among all rows that the layer drops from.
  __device__ DrawnDropout(const GpuDropout& dropout, const StepState* state, std::int64_t first_row, int length)
      : key_(key_of(dropout, state)),
        row_(dropout_row(length) / 4),
        first_(static_cast<std::uint64_t>(first_row) * static_cast<std::uint64_t>(row_)) {}

  /// The start value of `draw` for 64 rows from this row and column on.
  __device__ std::uint64_t begin_of(int row, int column) const {
    const int lane = static_cast<int>(threadIdx.x) % 32,
              line = 16 * (static_cast<int>(threadIdx.x) % 128 / 32) + lane / 4;
    const int own = row + line + 8 * (lane & 1), four = column / 4 + (lane >> 1 & 1);
    return (first_ + static_cast<std::uint64_t>(own * row_ + four)) * dropout_spread;
  }
  /// The start value for the columns eight further on.
  __device__ static std::uint64_t after(std::uint64_t begin) { return begin + 2 * dropout_spread; }
  /// Draws two 16-bit numbers for each of the thread's two rows: for its two of eight columns. One hash of dropout_bits
  /// covers four columns of one row. Each hash is computed once: neighbouring threads compute that of the first and of
  /// the second row, and exchange halves.
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
