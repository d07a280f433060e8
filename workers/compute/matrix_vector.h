#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace rv::workers {

/// A square matrix on the GPU by its strides: element (i, j) is data[i·row + j·column].
template <class T>
struct StridedMatrix {
  const T* data;
  std::size_t n, row, column;
};

/// result = matrix·vector in fp64, all on the current device. Each result is added up in a fixed order. Instantiated
/// for the types of products.
template <class T>
void multiply_vector(StridedMatrix<T> matrix, const double* vector, double* result, cudaStream_t stream);

}  // namespace rv::workers
