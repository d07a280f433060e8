#pragma once

#include <cudnn.h>

#include <string>

namespace rv::workers {

/// cuDNN's functions, loaded at run time: a worker on the CPU does not need them.
struct Cudnn {
  Cudnn();

  /// cuDNN compiles some kernels at run time with NVRTC, for example those of attention: why NVRTC can't be loaded, or
  /// empty.
  std::string without_compiler;

  decltype(&cudnnGetVersion) get_version = nullptr;
  decltype(&cudnnGetErrorString) get_error_string = nullptr;
  decltype(&cudnnGetLastErrorString) get_last_error_string = nullptr;
  decltype(&cudnnCreate) create = nullptr;
  decltype(&cudnnDestroy) destroy = nullptr;
  decltype(&cudnnSetStream) set_stream = nullptr;
  decltype(&cudnnBackendCreateDescriptor) create_descriptor = nullptr;
  decltype(&cudnnBackendDestroyDescriptor) destroy_descriptor = nullptr;
  decltype(&cudnnBackendSetAttribute) set_attribute = nullptr;
  decltype(&cudnnBackendGetAttribute) get_attribute = nullptr;
  decltype(&cudnnBackendFinalize) finalize = nullptr;
  decltype(&cudnnBackendExecute) execute = nullptr;

  /// "9.19.0"
  std::string version() const;
  /// "CUDNN_STATUS_…" with cuDNN's message about its last error, which cuDNN reports once.
  std::string error_text(cudnnStatus_t status) const;
  /// Throws std::runtime_error with cuDNN's message if `status` is an error.
  void call(cudnnStatus_t status, const char* what) const;
};

}  // namespace rv::workers
