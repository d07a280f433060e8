#include <type_traits>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/fold_columns.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/products/dropped_products.h"
#include "workers/training/gpu/kernels/products/pair_pipeline.cuh"
#include "workers/training/gpu/kernels/products/tensor_map.h"
#include "workers/training/gpu/kernels/warpgroups/drawn_dropout.cuh"
#include "workers/training/gpu/kernels/warpgroups/tile_layout.cuh"
#include "workers/training/gpu/kernels/warpgroups/wide_product.cuh"

namespace rv::workers {
namespace {

/// A block computes 128 × 256 elements at a time, 64 of the sum at a time, and has four such stages in shared memory.
/// Two warpgroups compute, each 64 rows; one thread of a third copies. The two blocks of a pair have the same columns:
/// each copies its own rows, and half of the other operand for both.
constexpr int block_rows = 128, block_columns = 256, sum_step = 64, stages = 4;
constexpr int rows_bytes = block_rows * sum_step * 2, columns_bytes = block_columns * sum_step * 2;
constexpr int stage_bytes = rows_bytes + columns_bytes;
constexpr int computing_groups = 2, block_threads = (1 + computing_groups) * group_threads;
constexpr int warps = computing_groups * 4, warp_rows = 16, warp_bytes = warp_rows * 128;
constexpr int sums_bytes = warps * block_columns * 4;
constexpr int all_bytes = stages * stage_bytes + warps * warp_bytes + sums_bytes + 2 * stages * 8 + tile_alignment;

/// What a block works at, and in which order: eight pairs of rows' blocks, then the columns next to them.
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

/// Which elements are above zero, as the forward pass leaves it and the backward pass reads it: a Signs for each thread
/// of a warpgroup, 64 rows by 256 columns at a time. Of columns 64 · part … the number's bit 2 · i + e + 16 · c is for
/// d[32 · part + 4 · i + 2 · e + c].
using Signs = uint4;

struct Forward {
  const void* bias;
  GpuDropout dropout;
  const StepState* state;
  void* y;
  Signs* signs;
};
struct Backward {
  const Signs* signs;
  float scale;
  void* dx;
  float* partial;  ///< or null
};

/// The stages' barriers and where they lie.
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

/// All groups are done, and d is there to be read.
__device__ inline void await_products(WideAccumulator& d) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

/// Gives a stage back, to both copying threads.
__device__ inline void release(std::uint32_t empty) {
  if (threadIdx.x % group_threads < 2) arrive_at(empty, static_cast<int>(threadIdx.x) % group_threads);
}

/// A warpgroup's 64 rows of a block's product.
template <class T, bool along>
struct Sum {
  /// Steps begin … end - 1; `meanwhile` is called twice beside each one's products.
  template <class Meanwhile>
  __device__ void add(WideAccumulator& d, Ring& ring, int group, int begin, int end, const Meanwhile& meanwhile) {
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
      // One step's products run while the next one's are enqueued.
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

/// A warp's 16 rows of 64 columns, by way of shared memory, where they are left. packed[2 · i + e]: two columns of
/// eight of one of the thread's rows.
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

/// The sums of columns 2 · lane and the next over the rows that write_warp_rows has left in shared memory.
template <class T>
__device__ float2 sums_of_warp(const char* own) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  float2 sums{0, 0};
#pragma unroll
  for (int row = 0; row < warp_rows; ++row) {
    const auto both =
        unpacked<T>(*reinterpret_cast<const std::uint32_t*>(own + place_in_tile(row, lane / 4) + 4 * (lane % 4)));
    sums.x += both.x;
    sums.y += both.y;
  }
  return sums;
}

/// What a thread that computes knows of where it is.
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
  char* own;    ///< the warp's shared memory for rows that go out
  float* sums;  ///< the warpgroup's, 4 × 256
  int block = 0, first_row = 0, own_row = 0, first_column = 0;
  std::int64_t signs_at = 0;
};

/// Calls `work` in the threads that compute, while others bring the operands.
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
  // Neither leaves while the other may still write into its memory.
  meet_pair();
}

template <class T>
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(block_threads, 1)
    relu_dropout(const __grid_constant__ CUtensorMap x, const __grid_constant__ CUtensorMap w, Order order, int rows,
                 int width, Forward forward) {
  extern __shared__ char raw[];
  const DrawnDropout dropout(forward.dropout, forward.state, 0, width);
  const float scale = drop_scale(forward.dropout);
  const auto limits = forward.dropout.kept / 2 * 0x10001U + 0x7fff7fffU;
  in_pairs<true>(raw, x, w, order, [&](Ring& ring, const Worker& at) {
    await_warpgroup();
    const T two[2] = {static_cast<const T*>(forward.bias)[at.first_column + 2 * at.thread],
                      static_cast<const T*>(forward.bias)[at.first_column + 2 * at.thread + 1]};
    reinterpret_cast<float2*>(at.sums)[at.thread] = {to_float(two[0]) * scale, to_float(two[1]) * scale};
    await_warpgroup();
    WideAccumulator d;
#pragma unroll
    for (int i = 0; i < 128; ++i) asm volatile("" : "=f"(d[i]));
    std::uint32_t bits[4] = {0, 0, 0, 0};
    auto next = dropout.begin_of(at.first_row, at.first_column);
    constexpr int draws = 16;  // each of two times eight columns
    const auto draw = [&](int number, int half) {
      if (half == 0) {
#pragma unroll
        for (int i = 0; i < 4; ++i) bits[i] = number % 4 == 0 ? (i < 3 ? bits[i + 1] : 0) : bits[i];
      }
      std::uint32_t random[2];
      dropout.draw(next, random);
      next = DrawnDropout::after(next);
#pragma unroll
      for (int i = 0; i < 2; ++i) bits[3] = with_pair(bits[3], limits - (random[i] >> 1 & 0x7fff7fff));
    };
    Sum<T, true> sum;
    sum.add(d, ring, at.group, 0, min(order.steps, draws), draw);
    sum.add(d, ring, at.group, draws, order.steps, [](int, int) {});
    sum.finish(d);
    for (int i = order.steps; i < draws; ++i) {
      draw(i, 0);
      draw(i, 1);
    }
    std::uint32_t above[4] = {0, 0, 0, 0};
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      std::uint32_t packed[16];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const auto bias = *reinterpret_cast<const float2*>(at.sums + 64 * part + 8 * i + 2 * (at.lane % 4));
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const float* const v = d + 32 * part + 4 * i + 2 * e;
          const auto both = rounded_above_zero<T>(v[0] * scale + bias.x, v[1] * scale + bias.y) &
                            as_halves(pair_of(bits[part], 2 * i + e));
          packed[2 * i + e] = both;
          above[part] = with_pair(above[part], both + 0x7fff7fff);
        }
      }
      write_warp_rows<T>(
          packed, at.own,
          static_cast<T*>(forward.y) + static_cast<std::int64_t>(at.own_row) * width + at.first_column + 64 * part,
          width, rows - at.own_row);
    }
    forward.signs[at.signs_at] = {above[0], above[1], above[2], above[3]};
  });
}

template <class T>
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(block_threads, 1)
    masked(const __grid_constant__ CUtensorMap dy, const __grid_constant__ CUtensorMap w, Order order, int rows,
           int width, Backward backward) {
  extern __shared__ char raw[];
  in_pairs<false>(raw, dy, w, order, [&](Ring& ring, const Worker& at) {
    const auto four = backward.signs[at.signs_at];
    const std::uint32_t bits[4] = {four.x, four.y, four.z, four.w};
    WideAccumulator d;
#pragma unroll
    for (int i = 0; i < 128; ++i) asm volatile("" : "=f"(d[i]));
    Sum<T, false> sum;
    sum.add(d, ring, at.group, 0, order.steps, [](int, int) {});
    sum.finish(d);
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      std::uint32_t packed[16];
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const float* const v = d + 32 * part + 2 * i;
        packed[i] = rounded<T>(v[0] * backward.scale, v[1] * backward.scale) & as_halves(pair_of(bits[part], i));
      }
      write_warp_rows<T>(
          packed, at.own,
          static_cast<T*>(backward.dx) + static_cast<std::int64_t>(at.own_row) * width + at.first_column + 64 * part,
          width, rows - at.own_row);
      if (backward.partial != nullptr) {
        *reinterpret_cast<float2*>(at.sums + at.warp * block_columns + 64 * part + 2 * at.lane) =
            sums_of_warp<T>(at.own);
      }
    }
    if (backward.partial == nullptr) return;
    await_warpgroup();
    float2 all_rows{0, 0};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const auto part = *reinterpret_cast<const float2*>(at.sums + i * block_columns + 2 * at.thread);
      all_rows.x += part.x;
      all_rows.y += part.y;
    }
    *reinterpret_cast<float2*>(backward.partial + static_cast<std::int64_t>(2 * at.block + at.group) * width +
                               at.first_column + 2 * at.thread) = all_rows;
    await_warpgroup();
  });
}

int row_pairs(std::int64_t rows) {
  return static_cast<int>((rows + 2 * block_rows - 1) / (2 * block_rows));
}

Order order_of(const DroppedProduct& sizes) {
  return {row_pairs(sizes.rows), sizes.width / block_columns, sizes.inner / sum_step};
}

/// Two blocks for every two multiprocessors, or fewer.
unsigned int blocks_of(const Order& order) {
  static const int multiprocessors = [] {
    int device = 0, count = 0;
    cuda_call(cudaGetDevice(&device), "ask for the GPU");
    cuda_call(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "ask for its size");
    return count;
  }();
  return 2 * static_cast<unsigned int>(std::min(multiprocessors / 2, order.row_pairs * order.column_blocks));
}

template <class Call>
void with_narrow_type(GpuType type, const Call& call) {
  if (type == GpuType::fp16) return call(static_cast<__half*>(nullptr));
  return call(static_cast<__nv_bfloat16*>(nullptr));
}

template <class Kernel>
void allow_shared(Kernel* kernel) {
  cuda_call(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, all_bytes),
            "give a kernel shared memory");
}

}  // namespace

bool dropped_products_run(const DroppedProduct& sizes) {
  if (sizes.type == GpuType::fp32 || sizes.width % block_columns != 0 || sizes.inner % (4 * sum_step) != 0)
    return false;
  int device = 0, major = 0, minor = 0;
  cuda_call(cudaGetDevice(&device), "ask for the GPU");
  cuda_call(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "ask for its architecture");
  cuda_call(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "ask for its architecture");
  return major == 9 && minor == 0;
}

void relu_dropout_product(const DroppedProduct& sizes, const void* x, const void* w, const void* bias,
                          const GpuDropout& dropout, const StepState* state, void* y, void* signs,
                          cudaStream_t stream) {
  const auto order = order_of(sizes);
  const auto rows = tensor_map(sizes.type, x, sizes.rows, sizes.inner, block_rows),
             columns = tensor_map(sizes.type, w, sizes.width, sizes.inner, block_columns / 2);
  with_narrow_type(sizes.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    allow_shared(relu_dropout<T>);
    relu_dropout<T><<<blocks_of(order), block_threads, all_bytes, stream>>>(
        rows, columns, order, static_cast<int>(sizes.rows), sizes.width,
        Forward{bias, dropout, state, y, static_cast<Signs*>(signs)});
  });
}

std::size_t product_signs_bytes(std::int64_t rows, int width) {
  return static_cast<std::size_t>(row_pairs(rows)) * 2 * block_rows * static_cast<std::size_t>(width) / 8;
}

std::size_t masked_product_floats(std::int64_t rows, int width) {
  return 4 * static_cast<std::size_t>(row_pairs(rows)) * static_cast<std::size_t>(width);
}

void masked_product(const DroppedProduct& sizes, const void* dy, const void* w, const void* signs, float scale,
                    void* dx, float* sums, float* partial, cudaStream_t stream) {
  const auto order = order_of(sizes);
  const auto rows = tensor_map(sizes.type, dy, sizes.rows, sizes.inner, block_rows),
             columns = tensor_map(sizes.type, w, sizes.inner, sizes.width, sum_step);
  with_narrow_type(sizes.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    allow_shared(masked<T>);
    masked<T><<<blocks_of(order), block_threads, all_bytes, stream>>>(
        rows, columns, order, static_cast<int>(sizes.rows), sizes.width,
        Backward{static_cast<const Signs*>(signs), scale, dx, sums == nullptr ? nullptr : partial});
  });
  if (sums != nullptr) enqueue_fold<1>({partial, 4 * order.row_pairs, sizes.width, {sums}}, stream);
}

}  // namespace rv::workers
