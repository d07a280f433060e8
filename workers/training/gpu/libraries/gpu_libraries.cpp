#include "workers/training/gpu/libraries/gpu_libraries.h"

#include <stdexcept>

namespace rv::workers {

GpuLibraries::GpuLibraries() {
  cudnn.call(cudnn.create(&cudnn_handle), "start");
  if (lt.create(&lt_handle) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLASLt does not start");
}

GpuLibraries::~GpuLibraries() {
  if (cudnn_handle != nullptr) cudnn.destroy(cudnn_handle);
  if (lt_handle != nullptr) lt.destroy(lt_handle);
}

cudnnDataType_t cudnn_type(GpuType type) {
  if (type == GpuType::fp16) return CUDNN_DATA_HALF;
  return type == GpuType::bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

}  // namespace rv::workers
