#pragma once

#include <cstdint>

namespace rv::workers {

/// Tiles in shared memory: 64 rows of 64 elements of two bytes, in the layout of warpgroup_product.cuh.
constexpr int tile_rows = 64, tile_bytes = tile_rows * 128, group_threads = 128;
constexpr int tile_alignment = 1024;

/// The position of 16 bytes of a tile, in the layout of warpgroup_product.cuh.
__device__ inline std::uint32_t place_in_tile(int row, int chunk) {
  return static_cast<std::uint32_t>(row * 128 + ((chunk ^ (row & 7)) << 4));
}

__device__ inline std::uint32_t shared_address(const void* in_shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(in_shared));
}

/// The first address of the block's dynamic shared memory that is aligned for a tile.
__device__ inline char* first_tile(char* shared) {
  return shared + (tile_alignment - shared_address(shared) % tile_alignment) % tile_alignment;
}

__device__ inline void await_warpgroup() {
  asm volatile("bar.sync %0, %1;" ::"r"(1 + static_cast<int>(threadIdx.x) / group_threads), "n"(group_threads)
               : "memory");
}

}  // namespace rv::workers
