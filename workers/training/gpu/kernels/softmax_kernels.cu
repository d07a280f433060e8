#include "workers/training/gpu/kernels/block_fold.cuh"
#include "workers/training/gpu/kernels/gpu_dropout.cuh"
#include "workers/training/gpu/kernels/pack.cuh"
#include "workers/training/gpu/kernels/softmax_kernels.h"

namespace rv::workers {
namespace {

/// A block for each row.
template <class T>
__global__ void softmax(SoftmaxShape shape, const T* scores, T* weights, T* dropped, GpuDropout dropout,
                        const StepState* state) {
  const std::int64_t row = blockIdx.x;
  const int last = static_cast<int>(row % shape.length);
  const auto first = row * shape.stride;
  float most = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j <= last; j += blockDim.x) most = fmaxf(most, to_float(scores[first + j]));
  most = block_fold<true>(most);
  for (int j = threadIdx.x; j <= last; j += blockDim.x) sum += expf(to_float(scores[first + j]) - most);
  sum = block_fold<false>(sum);
  const auto key = key_of(dropout, state);
  const float scale = drop_scale(dropout);
  for (int j = threadIdx.x; j < shape.stride; j += blockDim.x) {
    const float weight = j <= last ? expf(to_float(scores[first + j]) - most) / sum : 0.0F;
    const auto index = static_cast<std::uint64_t>(row) * shape.length + j;
    const bool kept = dropout_keeps(dropout_bits(key, index), index, dropout.kept);
    weights[first + j] = from_float<T>(weight);
    dropped[first + j] = from_float<T>(kept ? weight * scale : 0.0F);
  }
}

template <class T>
__global__ void softmax_back(SoftmaxShape shape, const T* weights, T* back, T* dropped, GpuDropout dropout,
                             const StepState* state, float factor) {
  const std::int64_t row = blockIdx.x;
  const int last = static_cast<int>(row % shape.length);
  const auto first = row * shape.stride;
  const auto key = key_of(dropout, state);
  const float scale = drop_scale(dropout);
  const auto slope = [&](int j) {
    const auto index = static_cast<std::uint64_t>(row) * shape.length + j;
    return dropout_keeps(dropout_bits(key, index), index, dropout.kept) ? to_float(back[first + j]) * scale : 0.0F;
  };
  float sum = 0;
  for (int j = threadIdx.x; j <= last; j += blockDim.x) sum += to_float(weights[first + j]) * slope(j);
  sum = block_fold<false>(sum);
  for (int j = threadIdx.x; j < shape.stride; j += blockDim.x) {
    const float weight = to_float(weights[first + j]);
    const auto index = static_cast<std::uint64_t>(row) * shape.length + j;
    const bool kept = dropout_keeps(dropout_bits(key, index), index, dropout.kept);
    const float score = j <= last ? weight * (slope(j) - sum) * factor : 0.0F;
    dropped[first + j] = from_float<T>(kept ? weight * scale : 0.0F);
    back[first + j] = from_float<T>(score);
  }
}

}  // namespace

void causal_softmax(const SoftmaxShape& shape, const void* scores, void* weights, void* dropped,
                    const GpuDropout& dropout, const StepState* state, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    softmax<<<static_cast<unsigned int>(shape.matrices * shape.length), 128, 0, stream>>>(
        shape, static_cast<const T*>(scores), static_cast<T*>(weights), static_cast<T*>(dropped), dropout, state);
  });
}

void causal_softmax_back(const SoftmaxShape& shape, const void* weights, void* back, void* dropped,
                         const GpuDropout& dropout, const StepState* state, float scale, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    softmax_back<<<static_cast<unsigned int>(shape.matrices * shape.length), 128, 0, stream>>>(
        shape, static_cast<const T*>(weights), static_cast<T*>(back), static_cast<T*>(dropped), dropout, state, scale);
  });
}

}  // namespace rv::workers
