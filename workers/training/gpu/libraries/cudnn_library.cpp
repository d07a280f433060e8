#include "workers/training/gpu/libraries/cudnn_library.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <stdexcept>

#include "workers/devices/dynamic_library.h"

namespace rv::workers {
namespace {

/// cuDNN loads NVRTC only from the loader's folders, and NVRTC loads another file in the same way. Libraries that are
/// already loaded are found by name, wherever they are. Returns why that failed, or an empty string.
std::string load_nvrtc() {
  constexpr const char* purpose = "compile cuDNN's kernels";
  try {
    const DynamicLibrary nvrtc(fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000).c_str(), purpose);
    int (*get_version)(int*, int*) = nullptr;
    nvrtc.find(get_version, "nvrtcVersion");
    int major = 0, minor = 0;
    get_version(&major, &minor);
    const DynamicLibrary builtins(fmt::format("libnvrtc-builtins.so.{}.{}", major, minor).c_str(), purpose);
    return "";
  } catch (const std::runtime_error& missing) {
    return missing.what();
  }
}

}  // namespace

Cudnn::Cudnn() : without_compiler(load_nvrtc()) {
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

std::string Cudnn::error_text(cudnnStatus_t status) const {
  char detail[512] = "";
  get_last_error_string(detail, sizeof detail);
  return fmt::format("{} {}", get_error_string(status), detail);
}

void Cudnn::call(cudnnStatus_t status, const char* what) const {
  if (status != CUDNN_STATUS_SUCCESS) throw std::runtime_error(fmt::format("cuDNN: {}: {}", what, error_text(status)));
}

}  // namespace rv::workers
