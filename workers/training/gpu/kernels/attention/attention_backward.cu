#include "workers/training/gpu/kernels/attention/attention_dropout.cuh"
#include "workers/training/gpu/kernels/attention/attention_layout.cuh"
#include "workers/training/gpu/kernels/fold_columns.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/warpgroups/warpgroup_product.cuh"

namespace rv::workers {
namespace {

/// With more blocks, each thread would have too few registers for two products at a time.
constexpr int blocks_at_once = 2;
/// Tiles in shared memory: a warpgroup's own tile and that of its gradients, and two for each stage.
constexpr int own_tiles = 2, tiles = own_tiles + 2 * most_stages;

/// The sum of y · dy in a row, which two threads share.
template <class T>
__device__ float sum_of_row(const T* y, const T* dy, std::int64_t stride, int rows, int row, int half) {
  float sum = 0;
  if (row < rows) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const auto at = row * stride + 32 * half + 8 * i;
      const Pack p = load_pack(y + at), q = load_pack(dy + at);
#pragma unroll
      for (int k = 0; k < 8; ++k) sum += p.v[k] * q.v[k];
    }
  }
  return sum + __shfl_xor_sync(0xffffffff, sum, 1);
}

/// The gradients of queries, with one warpgroup for 64 of them, and `sums`, which the gradients of keys need. As in the
/// forward pass, block y of the grid computes the y-th last tile of queries, then the y-th first one (see
/// attention_forward.cu).
template <class T>
__global__ void __launch_bounds__(group_threads, blocks_at_once)
    backward_of_queries(AttentionSizes sizes, const T* qkv, const T* y, const T* dy, const float* statistics,
                        float scale, const std::uint32_t* kept, float* sums, T* dqkv, float* columns) {
  extern __shared__ char shared[];
  char* const first = first_tile(shared);
  const auto at = shared_address(first);
  const Head head(sizes, static_cast<int>(blockIdx.x));
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int top = 16 * (thread / 32), line = top + lane / 4;
  const int all_blocks = (head.length + tile_rows - 1) / tile_rows;
  const int first_block = static_cast<int>(blockIdx.y);
  using Copy = TileCopy<group_threads, T>;
  for (int block = all_blocks - 1 - first_block;; block = first_block) {
    const int query = block * tile_rows;
    TileRing<group_threads, T> ring(at + own_tiles * tile_bytes,
                                    Copy(qkv + head.third_at(1), head.wide, head.length, 0),
                                    Copy(qkv + head.third_at(2), head.wide, head.length, 0), block + 1);
    Copy(qkv + head.third_at(0), head.wide, head.length, query).copy(at);
    Copy(dy + head.output_at(), head.narrow, head.length, query).copy(at + tile_bytes);

    const int half_row = query + top + lane / 2;
    // Kept values are multiplied by the scale at the end.
    const float sum =
        sum_of_row(y + head.output_at(), dy + head.output_at(), head.narrow, head.length, half_row, lane % 2) / scale;
    if (lane % 2 == 0 && half_row < head.length) sums[head.first_weights + half_row] = sum;
    const float row_sum[2]{__shfl_sync(0xffffffff, sum, lane / 4 * 2), __shfl_sync(0xffffffff, sum, lane / 4 * 2 + 16)};
    float shift[2]{};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = query + line + 8 * half;
      if (row < head.length) shift[half] = statistics[head.first_weights + row];
    }
    const auto* const words = kept + kept_place(static_cast<int>(blockIdx.x), all_blocks, block, 0) + thread;
    Accumulator weights, back, dq{};
    std::uint32_t slopes[16];
    const auto begin_block = [&](int stage) {
      multiply_turned<T>(weights, at, ring.place(stage));
      close_group();
      multiply_turned<T>(back, at + tile_bytes, ring.place(stage) + tile_bytes);
      close_group();
    };
    const auto begin_sum = [&](int stage) {
      add_product<T>(dq, slopes, ring.place(stage));
      close_group();
    };
    // Loaded one block ahead.
    std::uint32_t next_bits = words[0];
    /// Computes slopes from block i's products; `running` groups were started after them.
    const auto differentiate = [&]<int running>(int i, int, std::integral_constant<int, running>) {
      const std::uint32_t bits = next_bits;
      next_bits = words[min(i + 1, block) * group_threads];
      await_groups<running + 1>(weights);
#pragma unroll
      for (int k = 0; k < 32; ++k) weights[k] = power_of_2(weights[k] * score_scale - shift[k / 2 % 2]);
      if (i == block) {  // on the diagonal: later keys have no part in a query
#pragma unroll
        for (int k = 0; k < 32; ++k) {
          const int key = i * tile_rows + 8 * (k / 4) + 2 * (lane % 4) + k % 2, row = query + line + 8 * (k / 2 % 2);
          if (key > row) weights[k] = 0;
        }
      }
      await_groups<running>(back);
#pragma unroll
      for (int k = 0; k < 32; ++k) {
        const float slope = (bits >> k & 1) != 0 ? back[k] : 0.0F;
        weights[k] *= slope - row_sum[k / 2 % 2];
      }
      if constexpr (running > 0) await_groups<0>(dq);
      pack<T>(weights, slopes);
    };
    ring.run(0, block + 1, begin_block, begin_sum, differentiate);
    await_groups<0>(dq);
    write_rows(dq, head_scale * scale, head_scale * scale, first, dqkv + head.third_at(0), head.wide, query,
               head.length);
    write_column_sums<T>(first, columns + head.sums_at(0, block, all_blocks), head.wide);
    if (block <= first_block) break;
    await_copies<0>();
    __syncthreads();
  }
}

/// Data of a tile of queries: the statistics and the sum of each query, and the kept weights.
constexpr int numbers_bytes = 2 * tile_rows * 4, words_bytes = group_threads * 4;
constexpr int key_shared_bytes = shared_bytes(tiles) + most_stages * (numbers_bytes + words_bytes);

/// The gradients of 64 keys and their values, with one warpgroup.
template <class T>
__global__ void __launch_bounds__(group_threads, blocks_at_once)
    backward_of_keys(AttentionSizes sizes, const T* qkv, const T* dy, const float* statistics, const float* sums,
                     float scale, const std::uint32_t* kept, T* dqkv, float* columns) {
  extern __shared__ char shared[];
  char* const first = first_tile(shared);
  const auto at = shared_address(first);
  char* const beside = first + tiles * tile_bytes;
  const Head head(sizes, static_cast<int>(blockIdx.x));
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, line = 16 * (thread / 32) + lane / 4;
  // The first keys have the most queries, so they start first.
  const int block = static_cast<int>(blockIdx.y), key = block * tile_rows;
  const int blocks = (head.length + tile_rows - 1) / tile_rows;
  using Copy = TileCopy<group_threads, T>;
  Copy(qkv + head.third_at(1), head.wide, head.length, key).copy(at);
  Copy(qkv + head.third_at(2), head.wide, head.length, key).copy(at + tile_bytes);
  TileRing<group_threads, T> ring(at + own_tiles * tile_bytes,
                                  Copy(qkv + head.third_at(0), head.wide, head.length, key),
                                  Copy(dy + head.output_at(), head.narrow, head.length, key), blocks - block);
  const float* const number_of = (thread < tile_rows ? statistics : sums) + head.first_weights;
  int coming = block;
  const auto more = [&](int stage) {
    char* const to = beside + stage * (numbers_bytes + words_bytes);
    const int query = coming * tile_rows + thread % tile_rows;
    const bool there = query < head.length;
    copy_4(shared_address(to + 4 * thread), number_of + (there ? query : 0), there);
    const auto* const words = kept + kept_place(static_cast<int>(blockIdx.x), blocks, coming, block);
    if (thread < 32) copy_16(shared_address(to + numbers_bytes + 16 * thread), words + 4 * thread, true);
    ++coming;
  };
  Accumulator weights, back, dk{}, dv{};
  std::uint32_t left[16], slopes[16];
  const auto begin_block = [&](int stage) {
    multiply_turned<T>(weights, at, ring.place(stage));
    close_group();
    multiply_turned<T>(back, at + tile_bytes, ring.place(stage) + tile_bytes);
    close_group();
  };
  const auto begin_sums = [&](int stage) {
    add_product<T>(dv, left, ring.place(stage) + tile_bytes);
    add_product<T>(dk, slopes, ring.place(stage));
    close_group();
  };
  /// Computes kept weights and slopes from a block's products; `running` groups were started after them.
  const auto differentiate = [&]<int running>(int, int stage, std::integral_constant<int, running>) {
    const char* const own = beside + stage * (numbers_bytes + words_bytes);
    const auto* const shifts = reinterpret_cast<const float2*>(own) + lane % 4;
    const auto* const row_sums = shifts + tile_rows / 2;
    const auto bits = kept_by_keys(reinterpret_cast<const std::uint32_t*>(own + numbers_bytes));
    await_groups<running + 1>(weights);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const auto shift = shifts[4 * k];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        weights[4 * k + j] = power_of_2(weights[4 * k + j] * score_scale - (j % 2 == 0 ? shift.x : shift.y));
      }
    }
    if constexpr (running == 0) {  // the first block is on the diagonal
#pragma unroll
      for (int k = 0; k < 32; ++k) {
        const int query = 8 * (k / 4) + 2 * (lane % 4) + k % 2, row = line + 8 * (k / 2 % 2);
        if (row > query) weights[k] = 0;
      }
    }
    const auto keeps = [&](int k) { return (bits >> kept_bit(k) & 1) != 0; };
    await_groups<running>(back);
    if constexpr (running > 0) {
      await_groups<0>(dk);
      await_groups<0>(dv);
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      left[k] = rounded<T>(keeps(2 * k) ? weights[2 * k] : 0.0F, keeps(2 * k + 1) ? weights[2 * k + 1] : 0.0F);
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const auto sum = row_sums[4 * k];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float slope = keeps(4 * k + j) ? back[4 * k + j] : 0.0F;
        weights[4 * k + j] *= slope - (j % 2 == 0 ? sum.x : sum.y);
      }
    }
    pack<T>(weights, slopes);
  };
  ring.run(block, blocks, begin_block, begin_sums, differentiate, more);
  await_groups<0>(dk);
  await_groups<0>(dv);
  write_rows(dk, head_scale * scale, head_scale * scale, first, dqkv + head.third_at(1), head.wide, key, head.length);
  write_rows(dv, scale, scale, first + tile_bytes, dqkv + head.third_at(2), head.wide, key, head.length);
  write_column_sums<T>(first, columns + head.sums_at(1, block, blocks), head.wide);
  write_column_sums<T>(first + tile_bytes, columns + head.sums_at(2, block, blocks), head.wide);
}

template <class T>
void backward_of(const AttentionSizes& sizes, const void* qkv, const void* y, const void* dy, const float* statistics,
                 float scale, const std::uint32_t* kept, float* sums, void* dqkv, float* columns, float* dcolumns,
                 cudaStream_t stream) {
  auto* const of_queries = backward_of_queries<T>;
  auto* const of_keys = backward_of_keys<T>;
  cudaFuncSetAttribute(of_queries, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes(tiles));
  cudaFuncSetAttribute(of_keys, cudaFuncAttributeMaxDynamicSharedMemorySize, key_shared_bytes);
  const auto heads = static_cast<unsigned int>(sizes.samples * sizes.heads);
  const int blocks = (sizes.length + tile_rows - 1) / tile_rows;
  of_queries<<<dim3(heads, static_cast<unsigned int>((blocks + 1) / 2)), group_threads, shared_bytes(tiles), stream>>>(
      sizes, static_cast<const T*>(qkv), static_cast<const T*>(y), static_cast<const T*>(dy), statistics, scale, kept,
      sums, static_cast<T*>(dqkv), columns);
  of_keys<<<dim3(heads, static_cast<unsigned int>(blocks)), group_threads, key_shared_bytes, stream>>>(
      sizes, static_cast<const T*>(qkv), static_cast<const T*>(dy), statistics, sums, scale, kept,
      static_cast<T*>(dqkv), columns);
  if (dcolumns != nullptr) {
    const int width = 3 * sizes.heads * AttentionSizes::width;
    enqueue_fold<1>({columns, 2 * sizes.samples * blocks, width, {dcolumns}}, stream);
  }
}

}  // namespace

void causal_attention_back(const AttentionSizes& sizes, const void* qkv, const void* y, const void* dy,
                           const float* statistics, const GpuDropout& dropout, const std::uint32_t* kept, float* sums,
                           void* dqkv, float* columns, float* dcolumns, cudaStream_t stream) {
  const auto run = sizes.type == GpuType::fp16 ? backward_of<__half> : backward_of<__nv_bfloat16>;
  run(sizes, qkv, y, dy, statistics, 65536.0F / static_cast<float>(dropout.kept), kept, sums, dqkv, columns, dcolumns,
      stream);
}

}  // namespace rv::workers
