#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "workers/compute/matrix_vector.h"
#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

constexpr unsigned threads = 256;

template <class T>
__device__ double as_double(T value) {
  if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

/// One block per row.
template <class T>
__global__ void row_times_vector(StridedMatrix<T> matrix, const double* vector, double* result) {
  __shared__ double sums[threads];
  double sum = 0;
  const std::size_t row = blockIdx.x;
  for (std::size_t j = threadIdx.x; j < matrix.n; j += threads) {
    sum += as_double(matrix.data[row * matrix.row + j * matrix.column]) * vector[j];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) result[row] = sums[0];
}

}  // namespace

template <class T>
void multiply_vector(StridedMatrix<T> matrix, const double* vector, double* result, cudaStream_t stream) {
  row_times_vector<<<static_cast<unsigned>(matrix.n), threads, 0, stream>>>(matrix, vector, result);
  cuda_call(cudaGetLastError(), "multiply a matrix and a vector");
}

template void multiply_vector(StridedMatrix<double>, const double*, double*, cudaStream_t);
template void multiply_vector(StridedMatrix<float>, const double*, double*, cudaStream_t);
template void multiply_vector(StridedMatrix<__half>, const double*, double*, cudaStream_t);
template void multiply_vector(StridedMatrix<__nv_bfloat16>, const double*, double*, cudaStream_t);
template void multiply_vector(StridedMatrix<__nv_fp8_e4m3>, const double*, double*, cudaStream_t);

}  // namespace rv::workers
