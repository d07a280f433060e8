#include "workers/training/gpu/kernels/block_fold.cuh"
#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/softmax_kernels.h"

namespace rv::workers {
namespace {

constexpr int softmax_threads = 128, warps = softmax_threads / 32;
constexpr int across = 8 * 32;  ///< elements that a warp processes at once

/// One warp per row.
struct Row {
  __device__ explicit Row(const SoftmaxShape& shape)
      : number(static_cast<std::int64_t>(blockIdx.x) * warps + threadIdx.x / 32),
        there(number < shape.matrices * shape.length),
        first(number * shape.stride),
        last(static_cast<int>(number % shape.length)),
        begin(8 * static_cast<int>(threadIdx.x % 32)) {}
  std::int64_t number;
  bool there;
  std::int64_t first;  ///< index of the first element
  int last, begin;     ///< last: column on the diagonal; begin: first column of this thread
};

template <class T>
__global__ void __launch_bounds__(softmax_threads)
    softmax(SoftmaxShape shape, const T* scores, T* weights, T* dropped, GpuDropout dropout, const StepState* state) {
  const Row row(shape);
  if (!row.there) return;
  float most = -INFINITY, sum = 0;
  for (int j = row.begin; j <= row.last; j += across) {
    const Pack p = load_pack(scores + row.first + j);
    float higher = most, more = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) higher = j + i <= row.last ? fmaxf(higher, p.v[i]) : higher;
#pragma unroll
    for (int i = 0; i < 8; ++i) more += j + i <= row.last ? expf(p.v[i] - higher) : 0.0F;
    sum = sum * expf(most - higher) + more;
    most = higher;
  }
  const float whole = warp_max(most);
  const float inverse = 1 / warp_sum(sum * expf(most - whole));
  const auto key = key_of(dropout, state);
  const float scale = drop_scale(dropout);
  for (int j = row.begin; j <= row.last; j += across) {
    const Pack p = load_pack(scores + row.first + j);
    const auto kept = kept_bits(key, static_cast<std::uint64_t>(row.first + j), dropout.kept);
    Pack weight, left;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      weight.v[i] = j + i <= row.last ? expf(p.v[i] - whole) * inverse : 0.0F;
      left.v[i] = (kept >> i & 1) != 0 ? weight.v[i] * scale : 0.0F;
    }
    store_pack(weights + row.first + j, weight);
    store_pack(dropped + row.first + j, left);
  }
}

template <class T>
__global__ void __launch_bounds__(softmax_threads)
    softmax_back(SoftmaxShape shape, const T* weights, T* back, T* dropped, GpuDropout dropout, const StepState* state,
                 float factor) {
  const Row row(shape);
  if (!row.there) return;
  const auto key = key_of(dropout, state);
  const float scale = drop_scale(dropout);
  const auto kept_at = [&](int j) { return kept_bits(key, static_cast<std::uint64_t>(row.first + j), dropout.kept); };
  float sum = 0;
  for (int j = row.begin; j <= row.last; j += across) {
    const Pack weight = load_pack(weights + row.first + j), slope = load_pack(back + row.first + j);
    const auto kept = kept_at(j);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (j + i <= row.last && (kept >> i & 1) != 0) sum += weight.v[i] * slope.v[i] * scale;
    }
  }
  sum = warp_sum(sum);
  const int end = min((row.last / shape.block + 1) * shape.block, shape.stride);
  for (int j = row.begin; j < end; j += across) {
    Pack score{};
    if (j <= row.last) {
      const Pack weight = load_pack(weights + row.first + j), slope = load_pack(back + row.first + j);
      const auto kept = kept_at(j);
      Pack left;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const bool stays = (kept >> i & 1) != 0;
        if (j + i <= row.last) score.v[i] = weight.v[i] * ((stays ? slope.v[i] * scale : 0.0F) - sum) * factor;
        left.v[i] = stays ? weight.v[i] * scale : 0.0F;
      }
      store_pack(dropped + row.first + j, left);
    }
    store_pack(back + row.first + j, score);
  }
}

unsigned int softmax_blocks(const SoftmaxShape& shape) {
  return static_cast<unsigned int>((shape.matrices * shape.length + warps - 1) / warps);
}

}  // namespace

void causal_softmax(const SoftmaxShape& shape, const void* scores, void* weights, void* dropped,
                    const GpuDropout& dropout, const StepState* state, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    softmax<<<softmax_blocks(shape), softmax_threads, 0, stream>>>(
        shape, static_cast<const T*>(scores), static_cast<T*>(weights), static_cast<T*>(dropped), dropout, state);
  });
}

void causal_softmax_back(const SoftmaxShape& shape, const void* weights, void* back, void* dropped,
                         const GpuDropout& dropout, const StepState* state, float scale, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    softmax_back<<<softmax_blocks(shape), softmax_threads, 0, stream>>>(
        shape, static_cast<const T*>(weights), static_cast<T*>(back), static_cast<T*>(dropped), dropout, state, scale);
  });
}

}  // namespace rv::workers
