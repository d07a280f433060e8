#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace rv::workers {

/// Products of a warpgroup (128 threads): d (64 × 64, fp32) += a · b, in steps of 16 of the sum. They run
/// asynchronously until they are waited for. Their operands in shared memory are tiles of 64 rows of 64 elements of two
/// bytes, at addresses divisible by 1024: element (r, c) is in the 16 bytes c / 8 ^ r % 8 of row r.
///
/// Each thread has two rows of d, 16 · warp + lane / 4 and eight further on, and in them columns 8 · i + 2 · (lane % 4)
/// and the next: d[4 · i] and d[4 · i + 1] of the first row, d[4 · i + 2] and d[4 · i + 3] of the second.
using Accumulator = float[32];

/// The descriptor for elements 16 · step … 16 · step + 15 of the sum in the tile at this address in shared memory:
/// along its rows, or down its columns.
__device__ inline std::uint64_t described(std::uint32_t at) {
  constexpr std::uint64_t swizzled_128 = std::uint64_t{1} << 62, eight_rows = std::uint64_t{1024 >> 4} << 32,
                          unused = std::uint64_t{1} << 16;
  return (at & 0x3ffff) >> 4 | unused | eight_rows | swizzled_128;
}
__device__ inline std::uint64_t along_rows(std::uint32_t tile, int step) {
  return described(tile + 32 * step);
}
__device__ inline std::uint64_t down_rows(std::uint32_t tile, int step) {
  return described(tile + 2048 * step);
}

#define RV_ACCUMULATOR                                                                                              \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31}"
#define RV_OUT(d)                                                                                             \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), \
      "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),  \
      "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), \
      "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
#define RV_PRODUCT_OF_TILES(type)                                                                                  \
  asm volatile("{.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32." type "." type \
               " " RV_ACCUMULATOR ", %32, %33, p, 1, 1, 0, 0;}"                                                    \
               : RV_OUT(d)                                                                                         \
               : "l"(a), "l"(b), "r"(added))
#define RV_PRODUCT_OF_REGISTERS(type)                                                                              \
  asm volatile("{.reg .pred p;\nsetp.ne.b32 p, %37, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32." type "." type \
               " " RV_ACCUMULATOR ", {%32, %33, %34, %35}, %36, p, 1, 1, 1;}"                                      \
               : RV_OUT(d)                                                                                         \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(added))

template <class T>
__device__ void product_of_tiles(Accumulator& d, std::uint64_t a, std::uint64_t b, int added) {
  if constexpr (std::is_same_v<T, __half>) {
    RV_PRODUCT_OF_TILES("f16");
  } else {
    RV_PRODUCT_OF_TILES("bf16");
  }
}

template <class T>
__device__ void product_of_registers(Accumulator& d, const std::uint32_t* a, std::uint64_t b, int added) {
  if constexpr (std::is_same_v<T, __half>) {
    RV_PRODUCT_OF_REGISTERS("f16");
  } else {
    RV_PRODUCT_OF_REGISTERS("bf16");
  }
}

#undef RV_ACCUMULATOR
#undef RV_OUT
#undef RV_PRODUCT_OF_TILES
#undef RV_PRODUCT_OF_REGISTERS

/// Makes the registers that the threads wrote visible to the products that follow.
__device__ inline void before_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// Closes a group: the products since the last call.
__device__ inline void close_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits for all groups but the last `left`; d may be read then.
template <int left>
__device__ void await_groups(Accumulator& d) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
  // Reading d must not be moved before the wait.
#pragma unroll
  for (int i = 0; i < 32; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

/// d = a · bᵀ for two tiles.
template <class T>
__device__ void multiply_turned(Accumulator& d, std::uint32_t a, std::uint32_t b) {
  // The old content of d is not used. Without this the compiler waits for the last write of its registers before each
  // product.
#pragma unroll
  for (int i = 0; i < 32; ++i) asm volatile("" : "=f"(d[i]));
#pragma unroll
  for (int step = 0; step < 4; ++step) product_of_tiles<T>(d, along_rows(a, step), along_rows(b, step), step);
}
/// d += a · b for an accumulator that `pack` rounded, and a tile.
template <class T>
__device__ void add_product(Accumulator& d, const std::uint32_t (&a)[16], std::uint32_t b) {
#pragma unroll
  for (int step = 0; step < 4; ++step) product_of_registers<T>(d, a + 4 * step, down_rows(b, step), 1);
}

/// Two numbers in the stored type, the first in the low half.
template <class T>
__device__ std::uint32_t rounded(float first, float second) {
  std::uint32_t both = 0;
  if constexpr (std::is_same_v<T, __half>) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  }
  return both;
}
/// Converts an accumulator to the first operand of a product.
template <class T>
__device__ void pack(const Accumulator& d, std::uint32_t (&packed)[16]) {
#pragma unroll
  for (int i = 0; i < 16; ++i) packed[i] = rounded<T>(d[2 * i], d[2 * i + 1]);
}

}  // namespace rv::workers
