#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <vector>

#include "workers/devices/cublas_library.h"
#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

enum class GpuPrecision { fp32, tf32, fp16, bf16 };
constexpr GpuType storage_of(GpuPrecision precision) {
  if (precision == GpuPrecision::fp16) return GpuType::fp16;
  return precision == GpuPrecision::bf16 ? GpuType::bf16 : GpuType::fp32;
}

/// A product d = alpha · op(a) · op(b) + beta · d in cuBLASLt's terms: matrices are column-major.
struct ProductShape {
  std::int64_t m = 0, n = 0, k = 0;
  bool turn_a = false, turn_b = false;
  std::int64_t lda = 0, ldb = 0, ldd = 0;
  std::int64_t batch = 1, stride_a = 0, stride_b = 0, stride_d = 0;
  /// a, b and d are arrays, in GPU memory, of the addresses of `batch` matrices; strides are unused
  bool by_addresses = false;
  bool wide_result = false;  ///< d is fp32, whatever the type of the inputs
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;  ///< data of the epilogue, read or written
};

/// The number of equal parts to divide a long sum of few elements into, each a separate matrix: only `blocks` blocks of
/// 128 × 128 elements would leave most of a GPU idle.
int sum_parts(std::int64_t blocks, std::int64_t length);

/// A product, with the algorithms that cuBLASLt proposes for it (possibly none).
class CublasProduct {
 public:
  CublasProduct(const CublasLt& library, cublasLtHandle_t handle, GpuPrecision precision, const ProductShape& shape,
                std::size_t workspace);
  ~CublasProduct();
  CublasProduct(const CublasProduct&) = delete;
  CublasProduct& operator=(const CublasProduct&) = delete;

  std::size_t algorithms() const { return found_.size(); }
  void choose(std::size_t index) { chosen_ = index; }
  void run(float alpha, const void* a, const void* b, float beta, void* d, void* workspace, cudaStream_t stream) const;

 private:
  void call(cublasStatus_t status, const char* what) const;
  cublasLtMatrixLayout_t layout(const ProductShape& shape, GpuType type, std::int64_t rows, std::int64_t columns,
                                std::int64_t lead, std::int64_t stride);

  const CublasLt& library_;
  cublasLtHandle_t handle_;
  std::size_t workspace_;
  cublasLtMatmulDesc_t how_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, d_ = nullptr;
  std::vector<cublasLtMatmulHeuristicResult_t> found_;
  std::size_t chosen_ = 0;
  bool known_ = true;  ///< whether the library supports the request
};

}  // namespace rv::workers
