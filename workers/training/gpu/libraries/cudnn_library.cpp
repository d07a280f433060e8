#include "workers/training/gpu/libraries/cudnn_library.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workers/devices/dynamic_library.h"

namespace rv::workers {

Cudnn::Cudnn() {
  const DynamicLibrary library("libcudnn.so.9", "train on a GPU");
  library.find(get_version, "cudnnGetVersion");
  library.find(get_error_string, "cudnnGetErrorString");
  library.find(get_last_error_string, "cudnnGetLastErrorString");
  library.find(create, "cudnnCreate");
  library.find(destroy, "cudnnDestroy");
  library.find(set_stream, "cudnnSetStream");
  library.find(create_descriptor, "cudnnBackendCreateDescriptor");
  library.find(destroy_descriptor, "cudnnBackendDestroyDescriptor");
  library.find(set_attribute, "cudnnBackendSetAttribute");
  library.find(get_attribute, "cudnnBackendGetAttribute");
  library.find(finalize, "cudnnBackendFinalize");
  library.find(execute, "cudnnBackendExecute");
}

std::string Cudnn::version() const {
  const auto version = get_version();
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

void Cudnn::call(cudnnStatus_t status, const char* what) const {
  if (status == CUDNN_STATUS_SUCCESS) return;
  char detail[512] = "";
  get_last_error_string(detail, sizeof detail);
  throw std::runtime_error(fmt::format("cuDNN: {}: {} {}", what, get_error_string(status), detail));
}

}  // namespace rv::workers
