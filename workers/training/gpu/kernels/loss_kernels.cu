#include "workers/training/gpu/kernels/block_fold.cuh"
#include "workers/training/gpu/kernels/blocks.cuh"
#include "workers/training/gpu/kernels/loss_kernels.h"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::workers {
namespace {

template <class T>
__global__ void entropy(RowShape shape, T* scores, const int* labels, float share, const StepState* state,
                        float* losses) {
  const std::int64_t row = blockIdx.x;
  T* const own = scores + row * shape.width;
  float most = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) most = fmaxf(most, to_float(own[c]));
  most = block_fold<true>(most);
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) sum += __expf(to_float(own[c]) - most);
  sum = block_fold<false>(sum);
  const int label = labels[row];
  // If several scores are highest, the first counts, as in other libraries; NaN never does.
  float first = -INFINITY;
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) {
    if (to_float(own[c]) == most) first = fmaxf(first, -static_cast<float>(c));
  }
  first = block_fold<true>(first);
  if (threadIdx.x == 0) {
    losses[row] = logf(sum) + most - to_float(own[label]);
    losses[shape.rows + row] = first == -static_cast<float>(label) ? 1.0F : 0.0F;
  }
  __syncthreads();
  const float scale = share * state->loss_scale;
  for (int c = threadIdx.x; c < shape.width; c += blockDim.x) {
    const float part = __expf(to_float(own[c]) - most) / sum;
    own[c] = from_float<T>(scale * (part - (c == label ? 1.0F : 0.0F)));
  }
}

__global__ void mean(const float* losses, std::int64_t rows, const StepState* state, float* history, int capacity) {
  float sum = 0, right = 0;
  for (std::int64_t i = threadIdx.x; i < rows; i += blockDim.x) {
    sum += losses[i];
    right += losses[rows + i];
  }
  sum = block_fold<false>(sum);
  right = block_fold<false>(right);
  if (threadIdx.x != 0) return;
  const auto at = (state->step - 1) % capacity;
  history[at] = sum / static_cast<float>(rows);
  history[capacity + at] = right / static_cast<float>(rows);
}

}  // namespace

void cross_entropy(const RowShape& shape, void* scores, const int* labels, float share, const StepState* state,
                   float* losses, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    entropy<<<static_cast<unsigned int>(shape.rows), threads, 0, stream>>>(shape, static_cast<T*>(scores), labels,
                                                                           share, state, losses);
  });
}

void mean_loss(const float* losses, std::int64_t rows, const StepState* state, float* history, int capacity,
               cudaStream_t stream) {
  mean<<<1, 1024, 0, stream>>>(losses, rows, state, history, capacity);
}

}  // namespace rv::workers
