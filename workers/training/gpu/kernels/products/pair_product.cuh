#pragma once

#include <cuda.h>

#include <cstdint>

#include "workers/training/gpu/kernels/products/pair_pipeline.cuh"
#include "workers/training/gpu/kernels/warpgroups/tile_layout.cuh"
#include "workers/training/gpu/kernels/warpgroups/wide_product.cuh"

namespace rv::workers {

/// A matrix product by pairs of blocks, and the common parts of its epilogues.

/// A block computes 128 × 256 elements at a time, in steps of 64 of the sum, with four stages in shared memory. Two
/// warpgroups compute 64 rows each; one thread of a third copies. The two blocks of a pair have the same columns: each
/// copies its own rows, and half of the other operand for both.
constexpr int block_rows = 128, block_columns = 256, sum_step = 64, stages = 4;
constexpr int rows_bytes = block_rows * sum_step * 2, columns_bytes = block_columns * sum_step * 2;
constexpr int stage_bytes = rows_bytes + columns_bytes;
constexpr int computing_groups = 2, block_threads = (1 + computing_groups) * group_threads;
constexpr int warps = computing_groups * 4, warp_rows = 16, warp_bytes = warp_rows * 128;
constexpr int sums_bytes = warps * block_columns * 4;
constexpr int all_bytes = stages * stage_bytes + warps * warp_bytes + sums_bytes + 2 * stages * 8 + tile_alignment;

/// The elements that a block computes, and their order: eight pairs of blocks of rows, then the next columns.
struct Order {
  int row_pairs, column_blocks, steps;

  __device__ int tiles() const { return row_pairs * column_blocks; }
  __device__ void place(int tile, int& row_pair, int& column_block) const {
    constexpr int together = 8;
    const int group = tile / (together * column_blocks), first = group * together;
    const int here = min(together, row_pairs - first), within = tile - first * column_blocks;
    row_pair = first + within % here;
    column_block = within / here;
  }
};

/// The barriers of the stages, and the positions of the stages.
struct Ring {
  __device__ explicit Ring(std::uint32_t shared)
      : shared_(shared), barriers_(shared + stages * stage_bytes + warps * warp_bytes + sums_bytes) {}
  __device__ std::uint32_t rows() const { return shared_ + static_cast<std::uint32_t>(stage * stage_bytes); }
  __device__ std::uint32_t columns() const { return rows() + rows_bytes; }
  __device__ std::uint32_t full() const { return barriers_ + static_cast<std::uint32_t>(16 * stage); }
  __device__ std::uint32_t empty() const { return full() + 8; }
  __device__ void advance() {
    if (++stage < stages) return;
    stage = 0;
    phase ^= 1;
  }
  int stage = 0, phase = 0;

 private:
  std::uint32_t shared_, barriers_;
};

template <bool along>
__device__ void copy_tiles(Ring ring, const CUtensorMap& rows, const CUtensorMap& columns, const Order& order) {
  const int rank = rank_in_pair();
  for (int tile = static_cast<int>(blockIdx.x) / 2; tile < order.tiles(); tile += static_cast<int>(gridDim.x) / 2) {
    int row_pair = 0, column_block = 0;
    order.place(tile, row_pair, column_block);
    const int row = (2 * row_pair + rank) * block_rows, column = column_block * block_columns;
    for (int step = 0; step < order.steps; ++step) {
      await_phase(ring.empty(), ring.phase ^ 1);
      expect_bytes(ring.full(), stage_bytes);
      copy_box(ring.rows(), rows, step * sum_step, row, ring.full());
      const auto half = ring.columns() + static_cast<std::uint32_t>(rank * columns_bytes / 2);
      if constexpr (along) {
        copy_box_to_both(half, columns, step * sum_step, column + rank * block_columns / 2, ring.full());
      } else {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          copy_box_to_both(half + i * tile_bytes, columns, column + (2 * rank + i) * 64, step * sum_step, ring.full());
        }
      }
      ring.advance();
    }
  }
}

/// Waits until all groups are complete; d may be read then.
__device__ inline void await_products(WideAccumulator& d) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

/// Releases a stage to the copying threads of both blocks.
__device__ inline void release(std::uint32_t empty) {
  if (threadIdx.x % group_threads < 2) arrive_at(empty, static_cast<int>(threadIdx.x) % group_threads);
}

/// A warpgroup's 64 rows of a block's product.
template <class T, bool along>
struct Sum {
  /// Processes steps begin … end - 1; `meanwhile` is called twice during each step's products.
  template <class Meanwhile>
  __device__ void add(WideAccumulator& d, Ring& ring, int group, int begin, int end, const Meanwhile& meanwhile) {
    if (begin == 0) {
      // The old content of d is not used.
#pragma unroll
      for (int i = 0; i < 128; ++i) asm volatile("" : "=f"(d[i]));
    }
#pragma unroll 1
    for (int step = begin; step < end; ++step) {
      await_phase(ring.full(), ring.phase);
      before_products();
      const auto rows = ring.rows() + static_cast<std::uint32_t>(group * tile_bytes), columns = ring.columns();
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        wide_product<T, along>(d, along_rows(rows, i), along ? along_rows(columns, i) : down_rows_of_four(columns, i),
                               step | i);
        if (i % 2 == 1) meanwhile(step, i / 2);
      }
      close_group();
      // The products of one step run while those of the next are enqueued.
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
      if (step > 0) release(before);
      before = ring.empty();
      ring.advance();
    }
  }
  __device__ void finish(WideAccumulator& d) {
    await_products(d);
    release(before);
  }
  std::uint32_t before = 0;
};

/// Writes a warp's 16 rows of 64 columns through shared memory, where they remain. packed[2 · i + e]: two of eight
/// columns of one of the thread's rows.
template <class T>
__device__ void write_warp_rows(const std::uint32_t (&packed)[16], char* own, T* to, std::int64_t stride, int rows) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    const auto at = shared_address(own) + place_in_tile(lane % 16, i + lane / 16);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(packed[2 * i]),
                 "r"(packed[2 * i + 1]), "r"(packed[2 * i + 2]), "r"(packed[2 * i + 3])
                 : "memory");
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int line = 4 * i + lane / 8, chunk = lane % 8;
    if (line >= rows) continue;
    *reinterpret_cast<uint4*>(to + line * stride + 8 * chunk) =
        *reinterpret_cast<const uint4*>(own + place_in_tile(line, chunk));
  }
}

/// The position of a computing thread.
struct Worker {
  __device__ Worker(char* shared, int group_number)
      : group(group_number),
        thread(static_cast<int>(threadIdx.x) % group_threads),
        warp(thread / 32),
        lane(thread % 32),
        rank(rank_in_pair()),
        own(shared + stages * stage_bytes + (4 * group + warp) * warp_bytes),
        sums(reinterpret_cast<float*>(shared + stages * stage_bytes + warps * warp_bytes) + 4 * group * block_columns) {
  }
  __device__ void go_to(const Order& order, int tile) {
    int row_pair = 0, column_block = 0;
    order.place(tile, row_pair, column_block);
    block = 2 * row_pair + rank;
    first_row = block * block_rows + 64 * group;
    own_row = first_row + warp_rows * warp;
    first_column = column_block * block_columns;
    signs_at =
        (static_cast<std::int64_t>(2 * block + group) * order.column_blocks + column_block) * group_threads + thread;
  }
  int group, thread, warp, lane, rank;
  char* own;    ///< the warp's shared memory for output rows
  float* sums;  ///< of the warpgroup, 4 × 256
  int block = 0, first_row = 0, own_row = 0, first_column = 0;
  std::int64_t signs_at = 0;
};

/// Calls `work` in the computing threads, while others copy the operands.
template <bool along, class Work>
__device__ void in_pairs(char* raw, const CUtensorMap& rows, const CUtensorMap& columns, const Order& order,
                         const Work& work) {
  char* const shared = first_tile(raw);
  if (threadIdx.x == 0) {
    Ring ring(shared_address(shared));
    for (int i = 0; i < stages; ++i) {
      make_barrier(ring.full(), 1);
      make_barrier(ring.empty(), 2 * computing_groups);
      ring.advance();
    }
    publish_barriers();
  }
  meet_pair();
  Ring ring(shared_address(shared));
  const int group = static_cast<int>(threadIdx.x) / group_threads - 1;
  if (group < 0) {
    leave_registers<40>();
    if (threadIdx.x == 0) copy_tiles<along>(ring, rows, columns, order);
  } else {
    take_registers<232>();
    Worker at(shared, group);
    for (int tile = static_cast<int>(blockIdx.x) / 2; tile < order.tiles(); tile += static_cast<int>(gridDim.x) / 2) {
      at.go_to(order, tile);
      work(ring, at);
    }
  }
  // Neither block may end while the other may still write into its memory.
  meet_pair();
}

}  // namespace rv::workers
