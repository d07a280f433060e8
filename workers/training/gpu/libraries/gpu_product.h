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

/// A product d = alpha · op(a) · op(b) + beta · d, as cuBLASLt has it: columns lie one behind the other.
struct ProductShape {
  std::int64_t m = 0, n = 0, k = 0;
  bool turn_a = false, turn_b = false;
  std::int64_t lda = 0, ldb = 0, ldd = 0;
  std::int64_t batch = 1, stride_a = 0, stride_b = 0, stride_d = 0;
  bool by_addresses = false;  ///< a, b and d are arrays, on the GPU, of the addresses of `batch` matrices; no strides
  bool wide_result = false;   ///< fp32 whatever the inputs are
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;  ///< what the epilogue reads or writes
};

/// In how many parts of the same length to take a long sum that only a few elements need, each a matrix of its own:
/// `blocks` of 128 × 128 elements alone would leave most of a GPU idle.
int sum_parts(std::int64_t blocks, std::int64_t length);

/// One product, with the algorithms that are proposed for it, which may be none.
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
  bool known_ = true;  ///< the library knows what is asked for
};

}  // namespace rv::workers
