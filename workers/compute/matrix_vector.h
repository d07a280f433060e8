#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace rv::workers {

/// A square n×n matrix in GPU memory, with strides in elements: element (i, j) is data[i·row + j·column].
template <class T>
struct StridedMatrix {
  const T* data;
  std::size_t n, row, column;
};

/// Enqueues result = matrix·vector in fp64 on the current device; `vector` and `result` have n elements there. Each sum
/// is added in a fixed order. Instantiated for the types of products.
template <class T>
void multiply_vector(StridedMatrix<T> matrix, const double* vector, double* result, cudaStream_t stream);

}  // namespace rv::workers
