#pragma once

#include <type_traits>

#include "workers/training/gpu/kernels/attention/attention_kernels.h"
#include "workers/training/gpu/kernels/attention/attention_tiles.cuh"

namespace rv::workers {

/// A head of a sample, and the positions of its numbers.
struct Head {
  __device__ Head(const AttentionSizes& sizes, int number)
      : length(sizes.length),
        wide(std::int64_t{3} * sizes.heads * AttentionSizes::width),
        narrow(std::int64_t{sizes.heads} * AttentionSizes::width),
        first_position(std::int64_t{number / sizes.heads} * sizes.length),
        column(number % sizes.heads * AttentionSizes::width),
        first_weights(std::int64_t{number} * sizes.length) {}

  /// Its first element. `index`: 0 queries, 1 keys, 2 values.
  __device__ std::int64_t third_at(int index) const { return first_position * wide + index * narrow + column; }
  __device__ std::int64_t output_at() const { return first_position * narrow + column; }
  /// The position of the column sums of a block of positions among those of all blocks, two rows each.
  __device__ std::int64_t sums_at(int index, int block, int blocks) const {
    return (first_position / length * blocks + block) * 2 * wide + index * narrow + column;
  }

  int length;
  std::int64_t wide, narrow, first_position;
  int column;
  std::int64_t first_weights;  ///< row of query 0 among the rows of all weights
};

constexpr float log2_e = 1.44269504F;

/// The factor 1/√width of the scores, and of the gradients of queries and keys.
constexpr float head_scale = 0.125F;
static_assert(head_scale * head_scale * AttentionSizes::width == 1);
/// The same where the exponential is computed as a power of two: exp(x) is 2 to the power of x · log₂(e).
constexpr float score_scale = head_scale * log2_e;

__device__ inline float power_of_2(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

constexpr int shared_bytes(int tiles) {
  return tiles * tile_bytes + tile_alignment;
}

/// Tiles in shared memory: two in use, since the scores of the next one are started before the last one is finished,
/// and two being copied.
constexpr int most_stages = 4;

/// Copies the tiles of two tensors one after another, some ahead of those in use, together with the copies of `more`.
template <int threads, class T>
class TileRing {
 public:
  using Copy = TileCopy<threads, T>;
  /// `shared`: 2 · most_stages tiles.
  __device__ TileRing(std::uint32_t shared, const Copy& one, const Copy& other, int count)
      : shared_(shared), one_(one), other_(other), left_(count) {}

  /// Starts to copy the next tiles, in place of those that were copied most_stages before.
  template <class More>
  __device__ void copy(const More& more) {
    if (left_ > 0) {
      const auto place = shared_ + static_cast<std::uint32_t>(2 * stage_ * tile_bytes);
      one_.copy(place);
      other_.copy(place + tile_bytes);
      more(stage_);
    }
    close_copies();
    --left_;
    stage_ = after(stage_);
  }
  __device__ void copy() {
    copy([](int) {});
  }
  /// Starts as many copies as there is space for, and waits for the first.
  template <class... More>
  __device__ void begin(const More&... more) {
#pragma unroll
    for (int i = 1; i < most_stages; ++i) copy(more...);
    await_copies<most_stages - 2>();
    __syncthreads();
  }
  /// Waits for the next tiles; those before the last ones may be overwritten.
  template <class... More>
  __device__ void advance(const More&... more) {
    await_copies<most_stages - 3>();
    __syncthreads();
    copy(more...);
  }
  /// Processes blocks first … end - 1. `begin_block` starts the products of tiles that have been copied, `take` turns
  /// them into the operands of the sums, and `begin_sum` starts those after the next block's products, so that one
  /// product runs during `take`. The arguments of `take` are the block, its stage, and how many groups of products were
  /// started after its own.
  template <class BeginBlock, class BeginSum, class Take, class... More>
  __device__ void run(int first, int end, const BeginBlock& begin_block, const BeginSum& begin_sum, const Take& take,
                      const More&... more) {
    int stage = 0;
    begin(more...);
    before_products();
    begin_block(stage);
    take(first, stage, std::integral_constant<int, 0>());
    for (int i = first + 1; i < end; ++i) {
      advance(more...);
      const int before = stage;
      stage = after(stage);
      before_products();
      begin_block(stage);
      begin_sum(before);
      take(i, stage, std::integral_constant<int, 1>());
    }
    before_products();
    begin_sum(stage);
  }
  __device__ std::uint32_t place(int stage) const {
    return shared_ + static_cast<std::uint32_t>(2 * stage * tile_bytes);
  }
  __device__ static int after(int stage) {
    return stage + 1 == most_stages ? 0 : stage + 1;
  }

 private:
  std::uint32_t shared_;
  Copy one_, other_;
  int left_, stage_ = 0;
};

/// The order of the `KeptWeights` of a head, by blocks of 64: by block of queries, then by block of keys up to it.
__device__ inline std::int64_t kept_place(int head, int blocks, int query_block, int key_block) {
  return ((std::int64_t{head} * blocks * (blocks + 1) + query_block * (query_block + 1)) / 2 + key_block) *
         group_threads;
}

}  // namespace rv::workers
