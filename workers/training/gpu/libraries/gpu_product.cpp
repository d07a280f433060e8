#include "workers/training/gpu/libraries/gpu_product.h"

#include <fmt/format.h>

#include <stdexcept>

namespace rv::workers {
namespace {

cudaDataType_t cuda_type(GpuType type) {
  if (type == GpuType::fp16) return CUDA_R_16F;
  return type == GpuType::bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

}  // namespace

int sum_parts(std::int64_t blocks, std::int64_t length) {
  constexpr std::int64_t enough = 512, least = 128;
  int parts = 1;
  while (parts * blocks < enough && length % (2 * std::int64_t{parts}) == 0 &&
         length / (2 * std::int64_t{parts}) >= least) {
    parts *= 2;
  }
  return parts;
}

void CublasProduct::call(cublasStatus_t status, const char* what) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(fmt::format("cuBLASLt: {}: {}", what, library_.get_status_string(status)));
}

cublasLtMatrixLayout_t CublasProduct::layout(const ProductShape& shape, GpuType type, std::int64_t rows,
                                             std::int64_t columns, std::int64_t lead, std::int64_t stride) {
  cublasLtMatrixLayout_t made = nullptr;
  call(library_.layout_create(&made, cuda_type(type), static_cast<std::uint64_t>(rows),
                              static_cast<std::uint64_t>(columns), lead),
       "describe a matrix");
  if (shape.batch > 1) {
    const auto count = static_cast<std::int32_t>(shape.batch);
    call(library_.layout_set(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count), "describe a batch");
    call(library_.layout_set(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride),
         "describe a batch");
  }
  if (shape.by_addresses) {
    const std::uint32_t mode = CUBLASLT_BATCH_MODE_POINTER_ARRAY;
    // Libraries before CUDA 12.9 do not support this.
    known_ = known_ &&
             library_.layout_set(made, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, sizeof mode) == CUBLAS_STATUS_SUCCESS;
  }
  return made;
}

CublasProduct::CublasProduct(const CublasLt& library, cublasLtHandle_t handle, GpuPrecision precision,
                             const ProductShape& s, std::size_t workspace)
    : library_(library), handle_(handle), workspace_(workspace) {
  const auto type = storage_of(precision);
  const auto compute = precision == GpuPrecision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  call(library.desc_create(&how_, compute, CUDA_R_32F), "describe a product");
  const auto set = [&](cublasLtMatmulDescAttributes_t name, const auto& value) {
    call(library.desc_set(how_, name, &value, sizeof value), "describe a product");
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, s.turn_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_TRANSB, s.turn_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, s.epilogue);
  if (s.bias != nullptr) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, s.bias);
  a_ = layout(s, type, s.turn_a ? s.k : s.m, s.turn_a ? s.m : s.k, s.lda, s.stride_a);
  b_ = layout(s, type, s.turn_b ? s.n : s.k, s.turn_b ? s.k : s.n, s.ldb, s.stride_b);
  d_ = layout(s, s.wide_result ? GpuType::fp32 : type, s.m, s.n, s.ldd, s.stride_d);
  if (!known_) return;
  cublasLtMatmulPreference_t preference = nullptr;
  call(library.preference_create(&preference), "make a preference");
  library.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace);
  found_.resize(8);
  int count = 0;
  const auto status = library.get_heuristic(handle, how_, a_, b_, d_, d_, preference, static_cast<int>(found_.size()),
                                            found_.data(), &count);
  library.preference_destroy(preference);
  // No algorithm is a valid result: callers with an epilogue have an alternative.
  found_.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<std::size_t>(count) : 0);
}

CublasProduct::~CublasProduct() {
  if (a_ != nullptr) library_.layout_destroy(a_);
  if (b_ != nullptr) library_.layout_destroy(b_);
  if (d_ != nullptr) library_.layout_destroy(d_);
  if (how_ != nullptr) library_.desc_destroy(how_);
}

void CublasProduct::run(float alpha, const void* a, const void* b, float beta, void* d, void* workspace,
                        cudaStream_t stream) const {
  call(library_.matmul(handle_, how_, &alpha, a, a_, b, b_, &beta, d, d_, d, d_, &found_.at(chosen_).algo, workspace,
                       workspace_, stream),
       "multiply");
}

}  // namespace rv::workers
