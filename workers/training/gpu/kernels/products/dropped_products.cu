#include <algorithm>
#include <type_traits>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/fold_columns.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/products/dropped_products.h"
#include "workers/training/gpu/kernels/products/packed_halves.cuh"
#include "workers/training/gpu/kernels/products/pair_product.cuh"
#include "workers/training/gpu/kernels/products/tensor_map.h"
#include "workers/training/gpu/kernels/warpgroups/warpgroups_here.h"

namespace rv::workers {
namespace {

/// The elements above zero, written by the forward pass and read by the backward pass: a Signs for each thread of a
/// warpgroup, 64 rows by 256 columns at a time, with bits in the layout of KeptColumns.
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

/// The sums of columns 2 · lane and the next over the rows that write_warp_rows left in shared memory.
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

/// Computes the sum into d, and draws random numbers meanwhile.
template <class T>
__device__ void multiply_and_draw(WideAccumulator& d, KeptColumns& kept, Ring& ring, int group, int steps) {
  const auto draw = [&](int part, int half) { kept.draw(part, half); };
  Sum<T, true> sum;
  sum.add(d, ring, group, 0, min(steps, KeptColumns::parts), draw);
  sum.add(d, ring, group, KeptColumns::parts, steps, [](int, int) {});
  sum.finish(d);
  kept.draw_from(steps);
}

/// Loads the warpgroup's 256 numbers of the bias, times `scale`.
template <class T>
__device__ void bring_bias(const Worker& at, const void* bias, float scale) {
  await_warpgroup();
  const auto* const own = static_cast<const T*>(bias) + at.first_column + 2 * at.thread;
  const T two[2] = {own[0], own[1]};
  reinterpret_cast<float2*>(at.sums)[at.thread] = {to_float(two[0]) * scale, to_float(two[1]) * scale};
  await_warpgroup();
}
/// The bias of the thread's two of eight columns.
__device__ inline float2 bias_of(const Worker& at, int part, int i) {
  return *reinterpret_cast<const float2*>(at.sums + 64 * part + 8 * i + 2 * (at.lane % 4));
}

template <class T>
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(block_threads, 1)
    relu_dropout(const __grid_constant__ CUtensorMap x, const __grid_constant__ CUtensorMap w, Order order, int rows,
                 int width, Forward forward) {
  extern __shared__ char raw[];
  const DrawnDropout dropout(forward.dropout, forward.state, 0, width);
  const float scale = drop_scale(forward.dropout);
  in_pairs<true>(raw, x, w, order, [&](Ring& ring, const Worker& at) {
    bring_bias<T>(at, forward.bias, scale);
    WideAccumulator d;
    KeptColumns kept(dropout, forward.dropout.kept, at.first_row, at.first_column);
    multiply_and_draw<T>(d, kept, ring, at.group, order.steps);
    std::uint32_t above[4] = {0, 0, 0, 0};
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      std::uint32_t packed[16];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const auto bias = bias_of(at, part, i);
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const float* const v = d + 32 * part + 4 * i + 2 * e;
          const auto both = rounded_above_zero<T>(v[0] * scale + bias.x, v[1] * scale + bias.y) &
                            as_halves(pair_of(kept.bits[part], 2 * i + e));
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
  return 2 * static_cast<unsigned int>(std::min(multiprocessors() / 2, order.row_pairs * order.column_blocks));
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
  return sizes.type != GpuType::fp32 && sizes.width % block_columns == 0 && sizes.inner % (4 * sum_step) == 0 &&
         warpgroups_run_here();
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
