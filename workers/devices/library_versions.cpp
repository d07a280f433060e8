#include "workers/devices/library_versions.h"

#include <fmt/format.h>

#include "workers/devices/device.h"
#include "workers/devices/dynamic_library.h"

namespace rv::workers {
namespace {

/// Asks NCCL itself, so that builds without NCCL's header report the version too.
nlohmann::ordered_json nccl_version() {
  try {
    const DynamicLibrary library("libnccl.so.2", "report its version");
    int (*get_version)(int*) = nullptr;
    library.find(get_version, "ncclGetVersion");
    int version = 0;
    if (get_version(&version) != 0) return nullptr;
    return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace

nlohmann::ordered_json library_versions() {
  const auto gpus = visible_gpus();
  const auto or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
  };
  return {{"cuda_driver", or_null(gpus.driver_version)},
          {"cuda_runtime", or_null(gpus.runtime_version)},
          {"cublaslt", or_null(gpus.cublas_version)},
          {"nccl", nccl_version()}};
}

}  // namespace rv::workers
