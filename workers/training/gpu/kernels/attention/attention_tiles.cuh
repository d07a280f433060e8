#pragma once

#include <cstdint>

#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/warpgroups/tile_layout.cuh"
#include "workers/training/gpu/kernels/warpgroups/warpgroup_product.cuh"

namespace rv::workers {

/// Starts to copy 16 bytes, or writes zeros.
__device__ inline void copy_16(std::uint32_t to, const void* from, bool there) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}
__device__ inline void copy_4(std::uint32_t to, const void* from, bool there) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(there ? 4 : 0) : "memory");
}
__device__ inline void close_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until all but the last `left` groups of this thread's copies are complete. After the next barrier of the block
/// those of all threads are, also for the tensor cores.
template <int left>
__device__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Copies rows of 64 elements of two bytes with distance `stride` (in elements), of which the first `rows` exist; the
/// others become 0. A thread copies the same 16 bytes of every sixteenth or thirty-second row.
template <int threads, class T>
class TileCopy {
 public:
  __device__ TileCopy(const T* first, std::int64_t stride, int rows, int begin)
      : from_(reinterpret_cast<const char*>(first + min(begin + own_row(), rows - 1) * stride + 8 * chunk())),
        stride_(static_cast<int>(stride * 2)),
        left_(rows - begin - own_row()) {}

  /// Starts to copy 64 rows, and advances past them.
  __device__ void copy(std::uint32_t tile) {
    const auto to = tile + place_in_tile(own_row(), chunk());
#pragma unroll
    for (int i = 0; i < tile_rows / across; ++i) {
      copy_16(to + i * across * 128, left_ > i * across ? from_ + i * across * stride_ : from_, left_ > i * across);
    }
    // Past the end nothing is read, and the address stays within the tensor.
    left_ -= tile_rows;
    if (left_ > 0) from_ += tile_rows * stride_;
  }

 private:
  static constexpr int across = threads / 8;
  __device__ static int own_row() {
    return static_cast<int>(threadIdx.x) % threads / 8;
  }
  __device__ static int chunk() {
    return static_cast<int>(threadIdx.x) % 8;
  }

  const char* from_;
  int stride_, left_;
};

/// Writes rows begin … begin + 63 of an accumulator, multiplied by one number for each of the thread's two rows. It
/// uses a tile that the warpgroup no longer needs, which contains the rows afterwards.
template <class T>
__device__ void write_rows(const Accumulator& d, float first_scale, float second_scale, char* tile, T* to,
                           std::int64_t stride, int begin, int rows) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) % group_threads / 32;
  const int row = 16 * warp + lane / 4;
  await_warpgroup();
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int within = 4 * (lane % 4);
    *reinterpret_cast<std::uint32_t*>(tile + place_in_tile(row, i) + within) =
        rounded<T>(d[4 * i] * first_scale, d[4 * i + 1] * first_scale);
    *reinterpret_cast<std::uint32_t*>(tile + place_in_tile(row + 8, i) + within) =
        rounded<T>(d[4 * i + 2] * second_scale, d[4 * i + 3] * second_scale);
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int line = 16 * warp + 4 * i + lane / 8, chunk = lane % 8;
    if (begin + line >= rows) continue;
    *reinterpret_cast<uint4*>(to + (begin + line) * stride + 8 * chunk) =
        *reinterpret_cast<const uint4*>(tile + place_in_tile(line, chunk));
  }
}

/// The sums of a tile's columns after write_rows, over the upper and the lower half of its rows: sums[c], and the other
/// `stride` further on.
template <class T>
__device__ void write_column_sums(const char* tile, float* sums, std::int64_t stride) {
  await_warpgroup();
  const int thread = static_cast<int>(threadIdx.x) % group_threads, column = thread % 64, half = thread / 64;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < tile_rows / 2; ++i) {
    sum += to_float(*reinterpret_cast<const T*>(tile + place_in_tile(32 * half + i, column / 8) + 2 * (column % 8)));
  }
  sums[half * stride + column] = sum;
}

}  // namespace rv::workers
