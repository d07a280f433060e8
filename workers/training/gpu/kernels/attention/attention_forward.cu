#include "workers/training/gpu/kernels/attention/attention_dropout.cuh"
#include "workers/training/gpu/kernels/attention/attention_layout.cuh"
#include "workers/training/gpu/kernels/warpgroups/warpgroup_product.cuh"

namespace rv::workers {
namespace {

/// A tile of queries for each of some warpgroups, that share the keys and values up to there; first one of those at the
/// end, then one of those at the beginning, so that all blocks of threads have the same work.
constexpr int groups = 1, blocks_at_once = 3, forward_threads = groups * group_threads;
constexpr int tiles = groups + 2 * most_stages;

__device__ float most_of_four(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}
__device__ float sum_of_four(float x) {
  x += __shfl_xor_sync(0xffffffff, x, 1);
  return x + __shfl_xor_sync(0xffffffff, x, 2);
}

/// What is known of a warpgroup's 64 queries so far.
struct Queries {
  Accumulator y{};
  float most[2]{-INFINITY, -INFINITY};  ///< of each row's scores, before they are scaled
  float sum[2]{};                       ///< of this thread's share of the weights, by that

  /// Takes the scores of 64 keys and leaves their weights, as what they are the powers of; and by what y is to be
  /// multiplied.
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

/// The scores of the next keys and the sum over the last ones' values are computed one behind the other, while other
/// warpgroups take powers.
template <class T>
__global__ void __launch_bounds__(forward_threads, blocks_at_once)
    forward(AttentionSizes sizes, const T* qkv, GpuDropout dropout, const StepState* state, T* y, float* statistics,
            std::uint32_t* kept_words) {
  extern __shared__ char shared[];
  char* const first = first_tile(shared);
  const auto at = shared_address(first);
  const Head head(sizes, static_cast<int>(blockIdx.x));
  const int group = static_cast<int>(threadIdx.x) / group_threads;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int line = 16 * (static_cast<int>(threadIdx.x) % group_threads / 32) + lane / 4;
  const KeptWeights kept(dropout, state, head.first_weights, head.length);
  const int all_blocks = (head.length + tile_rows - 1) / tile_rows, parts = (all_blocks + groups - 1) / groups;
  const int begin = static_cast<int>(blockIdx.y);
  using Copy = TileCopy<forward_threads, T>;
  for (int part = parts - 1 - begin;; part = begin) {
    const int block = groups * part + group, query = block * tile_rows;
    const int blocks = min(groups * (part + 1), all_blocks);
    TileRing<forward_threads, T> ring(at + groups * tile_bytes, Copy(qkv + head.third_at(1), head.wide, head.length, 0),
                                      Copy(qkv + head.third_at(2), head.wide, head.length, 0), blocks);
    Copy queries_tiles(qkv + head.third_at(0), head.wide, head.length, groups * part * tile_rows);
#pragma unroll
    for (int i = 0; i < groups; ++i) queries_tiles.copy(at + i * tile_bytes);
    const auto own_queries = at + static_cast<std::uint32_t>(group * tile_bytes);
    auto* const words = kept_words + kept_place(static_cast<int>(blockIdx.x), all_blocks, block, 0) +
                        static_cast<int>(threadIdx.x) % group_threads;
    Queries queries;
    Accumulator scores;
    std::uint32_t weights[16];
    const auto begin_scores = [&](int stage) {
      multiply_turned<T>(scores, own_queries, ring.place(stage));
      close_group();
    };
    const auto begin_sum = [&](int stage) {
      add_product<T>(queries.y, weights, ring.place(stage) + tile_bytes);
      close_group();
    };
    /// Makes weights of block i's scores; `running` groups were begun behind them.
    const auto weigh = [&]<int running>(int i, int, std::integral_constant<int, running>) {
      const auto bits = kept.word(query, i * tile_rows);
      if (i <= block && block < all_blocks) words[i * group_threads] = bits;
      await_groups<running>(scores);
      if (i >= groups * part) {
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
    ring.run(0, blocks, begin_scores, begin_sum, weigh);
    await_groups<0>(queries.y);
    const float scale = drop_scale(dropout);
    const float first_sum = sum_of_four(queries.sum[0]), second_sum = sum_of_four(queries.sum[1]);
    write_rows(queries.y, scale / first_sum, scale / second_sum, first + group * tile_bytes, y + head.output_at(),
               head.narrow, query, head.length);
    if (lane % 4 == 0) {
      float* const own = statistics + head.first_weights + query + line;
      if (query + line < head.length) own[0] = queries.most[0] * score_scale + log2f(first_sum);
      if (query + line + 8 < head.length) own[8] = queries.most[1] * score_scale + log2f(second_sum);
    }
    if (part <= begin) break;
    await_copies<0>();
    __syncthreads();
  }
}

template <class T>
void forward_of(const AttentionSizes& sizes, const void* qkv, const GpuDropout& dropout, const StepState* state,
                void* y, float* statistics, std::uint32_t* kept, cudaStream_t stream) {
  auto* const kernel = forward<T>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes(tiles));
  const int parts = (sizes.length + groups * tile_rows - 1) / (groups * tile_rows);
  const dim3 blocks(static_cast<unsigned int>(sizes.samples * sizes.heads), static_cast<unsigned int>((parts + 1) / 2));
  kernel<<<blocks, forward_threads, shared_bytes(tiles), stream>>>(sizes, static_cast<const T*>(qkv), dropout, state,
                                                                   static_cast<T*>(y), statistics, kept);
}

}  // namespace

void causal_attention(const AttentionSizes& sizes, const void* qkv, const GpuDropout& dropout, const StepState* state,
                      void* y, float* statistics, std::uint32_t* kept, cudaStream_t stream) {
  const auto run = sizes.type == GpuType::fp16 ? forward_of<__half> : forward_of<__nv_bfloat16>;
  run(sizes, qkv, dropout, state, y, statistics, kept, stream);
}

}  // namespace rv::workers
