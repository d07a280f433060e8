#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/embedding_kernels.h"
#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::workers {
namespace {

template <class T>
__global__ void embedded(EmbeddingShape shape, const int* tokens, const float* table, const float* positions,
                         GpuDropout dropout, const StepState* state, T* y) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  const int groups = shape.width / 8;
  if (i >= shape.rows * groups) return;
  const auto row = i / groups;
  const int c = static_cast<int>(i % groups) * 8;
  const Pack entry = load_pack(table + static_cast<std::int64_t>(tokens[row]) * shape.width + c);
  Pack p = load_pack(positions + row % shape.sequence * shape.width + c);
  const float root = sqrtf(static_cast<float>(shape.width)), scale = drop_scale(dropout);
  const auto bits = kept_bits(key_of(dropout, state), 8 * i, dropout.kept);
#pragma unroll
  for (int k = 0; k < 8; ++k) p.v[k] = (bits >> k & 1) != 0 ? (entry.v[k] * root + p.v[k]) * scale : 0.0F;
  store_pack(y + 8 * i, p);
}

/// One block per entry of the table; it searches all tokens, in their order.
template <class T>
__global__ void embedded_back(EmbeddingShape shape, const int* tokens, const T* dy, GpuDropout dropout,
                              const StepState* state, float* dtable) {
  __shared__ int found[threads];
  __shared__ int counts[threads / 32];
  const int entry = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float factor = sqrtf(static_cast<float>(shape.width)) * drop_scale(dropout);
  const auto key = key_of(dropout, state);
  for (int c0 = 0; c0 < shape.width; c0 += 8 * threads) {
    const int c = c0 + threadIdx.x * 8;
    Pack sum{};
    for (std::int64_t base = 0; base < shape.rows; base += threads) {
      const auto row = base + threadIdx.x;
      const bool mine = row < shape.rows && tokens[row] == entry;
      const unsigned int votes = __ballot_sync(0xffffffffU, mine);
      if (lane == 0) counts[warp] = __popc(votes);
      if (__syncthreads_or(mine ? 1 : 0) == 0) continue;
      int before = __popc(votes & ((1U << lane) - 1)), all = 0;
      for (int w = 0; w < threads / 32; ++w) {
        if (w < warp) before += counts[w];
        all += counts[w];
      }
      if (mine) found[before] = threadIdx.x;
      __syncthreads();
      if (c < shape.width) {
        for (int k = 0; k < all; ++k) {
          const auto first = (base + found[k]) * shape.width + c;
          const Pack p = load_pack(dy + first);
          const auto bits = kept_bits(key, first, dropout.kept);
#pragma unroll
          for (int i = 0; i < 8; ++i) sum.v[i] += (bits >> i & 1) != 0 ? p.v[i] : 0.0F;
        }
      }
      __syncthreads();
    }
    if (c >= shape.width) continue;
#pragma unroll
    for (int i = 0; i < 8; ++i) sum.v[i] *= factor;
    store_pack(dtable + static_cast<std::int64_t>(entry) * shape.width + c, sum);
  }
}

}  // namespace

void embed(const EmbeddingShape& shape, const int* tokens, const float* table, const float* positions,
           const GpuDropout& dropout, const StepState* state, void* y, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    embedded<<<blocks_for(shape.rows * shape.width / 8), threads, 0, stream>>>(shape, tokens, table, positions, dropout,
                                                                               state, static_cast<T*>(y));
  });
}

void embed_back(const EmbeddingShape& shape, const int* tokens, const void* dy, const GpuDropout& dropout,
                const StepState* state, float* dtable, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    embedded_back<<<static_cast<unsigned int>(shape.vocabulary), threads, 0, stream>>>(
        shape, tokens, static_cast<const T*>(dy), dropout, state, dtable);
  });
}

}  // namespace rv::workers
