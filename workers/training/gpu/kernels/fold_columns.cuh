#pragma once

#include <cstdint>

namespace rv::workers {

/// Partial sums of blocks: `parts` of them one after another, each of `tensors` rows of `width` columns.
template <int tensors>
struct ColumnParts {
  const float* parts;
  int count, width;
  float* sums[tensors];  ///< null: not computed
};

/// 32 columns per block, with eight threads for each column.
template <int tensors>
__global__ void fold_columns(ColumnParts<tensors> of) {
  __shared__ float shared[8][33];
  const int all = tensors * of.width, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < all) {
#pragma unroll 8
    for (int k = threadIdx.y; k < of.count; k += 8) sum += of.parts[static_cast<std::int64_t>(k) * all + column];
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= all) return;
  for (int k = 1; k < 8; ++k) sum += shared[k][threadIdx.x];
#pragma unroll
  for (int tensor = 0; tensor < tensors; ++tensor) {
    if (column / of.width == tensor && of.sums[tensor] != nullptr) of.sums[tensor][column % of.width] = sum;
  }
}

template <int tensors>
void enqueue_fold(const ColumnParts<tensors>& of, cudaStream_t stream) {
  fold_columns<tensors><<<static_cast<unsigned int>((tensors * of.width + 31) / 32), dim3(32, 8), 0, stream>>>(of);
}

}  // namespace rv::workers
