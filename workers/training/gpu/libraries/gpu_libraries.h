#pragma once

#include "workers/devices/cublas_library.h"
#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/libraries/cudnn_library.h"

namespace rv::workers {

/// cuDNN and cuBLASLt, initialised on the current CUDA device. Throws std::runtime_error if one can't be initialised.
struct GpuLibraries {
  GpuLibraries();
  ~GpuLibraries();
  GpuLibraries(const GpuLibraries&) = delete;
  GpuLibraries& operator=(const GpuLibraries&) = delete;

  Cudnn cudnn;
  cudnnHandle_t cudnn_handle = nullptr;
  CublasLt lt;
  cublasLtHandle_t lt_handle = nullptr;
};

cudnnDataType_t cudnn_type(GpuType type);

}  // namespace rv::workers
