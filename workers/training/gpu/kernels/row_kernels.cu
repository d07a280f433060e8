#include <algorithm>

#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/fold_columns.cuh"
#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/row_kernels.h"

namespace rv::workers {
namespace {

template <class T>
__global__ void drop(const T* x, T* y, std::uint8_t* out_bits, std::int64_t packs, GpuDropout dropout,
                     const StepState* state) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= packs) return;
  Pack p = load_pack(x + 8 * i);
  const auto bits = kept_bits(key_of(dropout, state), 8 * i, dropout.kept);
  const float scale = drop_scale(dropout);
  unsigned int above = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    p.v[k] = (bits >> k & 1) != 0 ? p.v[k] * scale : 0.0F;
    above |= (p.v[k] > 0 ? 1U : 0U) << k;
  }
  store_pack(y + 8 * i, p);
  if (out_bits != nullptr) out_bits[i] = static_cast<std::uint8_t>(above);
}

constexpr int column_threads = 128, column_blocks = 1056;

/// Sums of columns over this block's rows, with eight columns per thread. With `masks` it also computes y, which is x ·
/// scale where the bit is set; may be in place.
template <class T, bool masks>
__global__ void __launch_bounds__(column_threads)
    part_columns(RowShape shape, const T* x, const std::uint8_t* bits, float scale, T* y, float* partial) {
  const int c = 8 * static_cast<int>(blockIdx.x * column_threads + threadIdx.x);
  if (c >= shape.width) return;
  constexpr int at_once = 4;
  Pack sum{};
  for (std::int64_t first = blockIdx.y; first < shape.rows; first += at_once * static_cast<std::int64_t>(gridDim.y)) {
    Pack p[at_once]{};
    unsigned int set[at_once]{};
    // All loads come before the first store, which might alias another load.
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const auto row = first + i * static_cast<std::int64_t>(gridDim.y);
      if (row >= shape.rows) continue;
      p[i] = load_pack(x + row * shape.width + c);
      if constexpr (masks) set[i] = bits[(row * shape.width + c) / 8];
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const auto row = first + i * static_cast<std::int64_t>(gridDim.y);
      if (row >= shape.rows) continue;
      if constexpr (masks) {
#pragma unroll
        for (int k = 0; k < 8; ++k) p[i].v[k] = (set[i] >> k & 1) != 0 ? p[i].v[k] * scale : 0.0F;
        store_pack(y + row * shape.width + c, p[i]);
      }
#pragma unroll
      for (int k = 0; k < 8; ++k) sum.v[k] += p[i].v[k];
    }
  }
  store_pack(partial + static_cast<std::int64_t>(blockIdx.y) * shape.width + c, sum);
}

template <class T>
__global__ void pool_mean(const T* x, T* y, int n, int places, int channels) {
  const int groups = channels / 8;
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n * groups) return;
  const int c = i % groups * 8;
  const std::int64_t base = static_cast<std::int64_t>(i / groups) * places;
  Pack sum{};
#pragma unroll 4
  for (int p = 0; p < places; ++p) {
    const Pack q = load_pack(x + (base + p) * channels + c);
#pragma unroll
    for (int k = 0; k < 8; ++k) sum.v[k] += q.v[k];
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) sum.v[k] /= static_cast<float>(places);
  store_pack(y + static_cast<std::int64_t>(i) * 8, sum);
}

template <class T>
__global__ void pool_mean_back(const T* dy, T* dx, std::int64_t packs, int places, int channels) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= packs) return;
  const int groups = channels / 8;
  const auto row = i / groups;
  Pack p = load_pack(dy + row / places * channels + i % groups * 8);
#pragma unroll
  for (int k = 0; k < 8; ++k) p.v[k] /= static_cast<float>(places);
  store_pack(dx + 8 * i, p);
}

/// 32 columns per block, with 32 threads for each column.
template <class T>
__global__ void sum_columns(RowShape shape, const T* x, float* sums) {
  __shared__ float shared[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < shape.width) {
#pragma unroll 8
    for (std::int64_t row = threadIdx.y; row < shape.rows; row += 32) sum += to_float(x[row * shape.width + column]);
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= shape.width) return;
  for (int k = 1; k < 32; ++k) sum += shared[k][threadIdx.x];
  sums[column] = sum;
}

}  // namespace

void drop_rows(GpuType type, std::int64_t count, const GpuDropout& dropout, const StepState* state, const void* x,
               void* y, std::uint8_t* bits, cudaStream_t stream) {
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    drop<<<blocks_for(count / 8), threads, 0, stream>>>(static_cast<const T*>(x), static_cast<T*>(y), bits, count / 8,
                                                        dropout, state);
  });
}

namespace {

template <bool masks>
void enqueue_columns(const RowShape& shape, const void* x, const std::uint8_t* bits, float scale, void* y, float* sums,
                     float* partial, cudaStream_t stream) {
  const int across = (shape.width / 8 + column_threads - 1) / column_threads;
  const auto down = static_cast<int>(std::min<std::int64_t>(shape.rows, (column_blocks + across - 1) / across));
  const dim3 blocks(static_cast<unsigned int>(across), static_cast<unsigned int>(down));
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    part_columns<T, masks><<<blocks, column_threads, 0, stream>>>(shape, static_cast<const T*>(x), bits, scale,
                                                                  static_cast<T*>(y), partial);
  });
  if (sums != nullptr) enqueue_fold<1>({partial, down, shape.width, {sums}}, stream);
}

}  // namespace

std::size_t column_partial_floats(int width) {
  // One row for each block of a column; together the blocks have at most one row of columns more than column_blocks
  // would.
  constexpr std::size_t columns = 8 * column_threads;
  return (column_blocks + 1) * columns + static_cast<std::size_t>(width);
}

void mask_rows(const RowShape& shape, const void* dy, const std::uint8_t* bits, float scale, void* dx, float* sums,
               float* partial, cudaStream_t stream) {
  enqueue_columns<true>(shape, dy, bits, scale, dx, sums, partial, stream);
}

void mean_pool(GpuType type, int n, int places, int channels, const void* x, void* y, cudaStream_t stream) {
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    pool_mean<<<blocks_for(n * (channels / 8)), threads, 0, stream>>>(static_cast<const T*>(x), static_cast<T*>(y), n,
                                                                      places, channels);
  });
}

void mean_pool_back(GpuType type, int n, int places, int channels, const void* dy, void* dx, cudaStream_t stream) {
  const auto packs = static_cast<std::int64_t>(n) * places * (channels / 8);
  with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    pool_mean_back<<<blocks_for(packs), threads, 0, stream>>>(static_cast<const T*>(dy), static_cast<T*>(dx), packs,
                                                              places, channels);
  });
}

void column_sums(const RowShape& shape, const void* x, float* sums, float* partial, cudaStream_t stream) {
  if (shape.width % 8 == 0) return enqueue_columns<false>(shape, x, nullptr, 1, nullptr, sums, partial, stream);
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    sum_columns<<<static_cast<unsigned int>((shape.width + 31) / 32), dim3(32, 32), 0, stream>>>(
        shape, static_cast<const T*>(x), sums);
  });
}

}  // namespace rv::workers
