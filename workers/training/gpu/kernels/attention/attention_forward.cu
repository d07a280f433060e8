#include "workers/training/gpu/kernels/attention/attention_dropout.cuh"
#include "workers/training/gpu/kernels/attention/attention_layout.cuh"
#include "workers/training/gpu/kernels/warpgroups/warpgroup_product.cuh"

namespace rv::workers {
namespace {

/// Thread blocks per multiprocessor: with more, each thread would have too few registers.
constexpr int blocks_at_once = 3;
/// Tiles in shared memory: a warpgroup's queries, and the keys and values of each stage.
constexpr int own_tiles = 1, tiles = own_tiles + 2 * most_stages;

__device__ float most_of_four(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}
__device__ float sum_of_four(float x) {
  x += __shfl_xor_sync(0xffffffff, x, 1);
  return x + __shfl_xor_sync(0xffffffff, x, 2);
}

/// The running results for a warpgroup's 64 queries.
struct Queries {
  Accumulator y{};
  float most[2]{-INFINITY, -INFINITY};  ///< maximum of each row's scores, before scaling
  float sum[2]{};                       ///< this thread's share of the sum of weights, relative to that maximum

  /// Replaces the scores of 64 keys by their weights. `less`: the factors by which y must be multiplied.
  __device__ void take(Accumulator& scores, float (&less)[2]) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float higher = most[half];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        higher = fmaxf(higher, fmaxf(scores[4 * i + 2 * half], scores[4 * i + 2 * half + 1]));
      }
      higher = most_of_four(higher);
      const float shift = higher * score_scale;
      less[half] = power_of_2(most[half] * score_scale - shift);
      most[half] = higher;
      float more = 0;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          auto& score = scores[4 * i + 2 * half + k];
          score = power_of_2(score * score_scale - shift);
          more += score;
        }
      }
      sum[half] = sum[half] * less[half] + more;
    }
  }
  __device__ void shrink(const float (&less)[2]) {
#pragma unroll
    for (int k = 0; k < 32; ++k) y[k] *= less[k / 2 % 2];
  }
};

/// The scores of the next keys and the sum over the last ones' values run one after the other, while other warpgroups
/// compute powers.
template <class T>
__global__ void __launch_bounds__(group_threads, blocks_at_once)
    forward(AttentionSizes sizes, const T* qkv, GpuDropout dropout, const StepState* state, T* y, float* statistics,
            std::uint32_t* kept_words) {
  extern __shared__ char shared[];
  char* const first = first_tile(shared);
  const auto at = shared_address(first);
  const Head head(sizes, static_cast<int>(blockIdx.x));
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, line = 16 * (thread / 32) + lane / 4;
  const KeptWeights kept(dropout, state, head.first_weights, head.length);
  const int all_blocks = (head.length + tile_rows - 1) / tile_rows;
  const int first_block = static_cast<int>(blockIdx.y);
  using Copy = TileCopy<group_threads, T>;
  // Attention is causal: tile b of the queries needs the keys of tiles 0 to b. Each thread block computes the y-th last
  // tile of n and then the y-th first one, together n + 1 tiles of keys, so that all blocks have the same work. With an
  // odd number of tiles the middle one has no partner.
  for (int block = all_blocks - 1 - first_block;; block = first_block) {
    const int query = block * tile_rows;
    TileRing<group_threads, T> ring(at + own_tiles * tile_bytes,
                                    Copy(qkv + head.third_at(1), head.wide, head.length, 0),
                                    Copy(qkv + head.third_at(2), head.wide, head.length, 0), block + 1);
    Copy(qkv + head.third_at(0), head.wide, head.length, query).copy(at);
    auto* const words = kept_words + kept_place(static_cast<int>(blockIdx.x), all_blocks, block, 0) + thread;
    Queries queries;
    Accumulator scores;
    std::uint32_t weights[16];
    const auto begin_scores = [&](int stage) {
      multiply_turned<T>(scores, at, ring.place(stage));
      close_group();
    };
    const auto begin_sum = [&](int stage) {
      add_product<T>(queries.y, weights, ring.place(stage) + tile_bytes);
      close_group();
    };
    /// Computes weights from block i's scores; `running` groups were started after them.
    const auto weigh = [&]<int running>(int i, int, std::integral_constant<int, running>) {
      const auto bits = kept.word(query, i * tile_rows);
      words[i * group_threads] = bits;
      await_groups<running>(scores);
      if (i == block) {  // on the diagonal: later keys have no part in a query
#pragma unroll
        for (int k = 0; k < 32; ++k) {
          const int key = i * tile_rows + 8 * (k / 4) + 2 * (lane % 4) + k % 2, row = query + line + 8 * (k / 2 % 2);
          if (key > row) scores[k] = -INFINITY;
        }
      }
      float less[2];
      queries.take(scores, less);
#pragma unroll
      for (int k = 0; k < 32; ++k) scores[k] = (bits >> k & 1) != 0 ? scores[k] : 0.0F;
      if constexpr (running > 0) {
        await_groups<0>(queries.y);
        queries.shrink(less);
      }
      pack<T>(scores, weights);
    };
    ring.run(0, block + 1, begin_scores, begin_sum, weigh);
    await_groups<0>(queries.y);
    const float scale = drop_scale(dropout);
    const float first_sum = sum_of_four(queries.sum[0]), second_sum = sum_of_four(queries.sum[1]);
    write_rows(queries.y, scale / first_sum, scale / second_sum, first, y + head.output_at(), head.narrow, query,
               head.length);
    if (lane % 4 == 0) {
      float* const own = statistics + head.first_weights + query + line;
      if (query + line < head.length) own[0] = queries.most[0] * score_scale + log2f(first_sum);
      if (query + line + 8 < head.length) own[8] = queries.most[1] * score_scale + log2f(second_sum);
    }
    if (block <= first_block) break;
    await_copies<0>();
    __syncthreads();
  }
}

template <class T>
void forward_of(const AttentionSizes& sizes, const void* qkv, const GpuDropout& dropout, const StepState* state,
                void* y, float* statistics, std::uint32_t* kept, cudaStream_t stream) {
  auto* const kernel = forward<T>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes(tiles));
  const int tiles_of_queries = (sizes.length + tile_rows - 1) / tile_rows;
  const dim3 blocks(static_cast<unsigned int>(sizes.samples * sizes.heads),
                    static_cast<unsigned int>((tiles_of_queries + 1) / 2));
  kernel<<<blocks, group_threads, shared_bytes(tiles), stream>>>(sizes, static_cast<const T*>(qkv), dropout, state,
                                                                 static_cast<T*>(y), statistics, kept);
}

}  // namespace

void causal_attention(const AttentionSizes& sizes, const void* qkv, const GpuDropout& dropout, const StepState* state,
                      void* y, float* statistics, std::uint32_t* kept, cudaStream_t stream) {
  const auto run = sizes.type == GpuType::fp16 ? forward_of<__half> : forward_of<__nv_bfloat16>;
  run(sizes, qkv, dropout, state, y, statistics, kept, stream);
}

}  // namespace rv::workers
