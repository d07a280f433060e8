#pragma once

#include <nlohmann/json.hpp>

namespace rv::workers {

/// Returns {"cuda_driver", "cuda_runtime", "cublaslt", "nccl"}, each a version such as "13.0", or null if the library
/// is missing or not part of the build. Does not use a GPU.
nlohmann::ordered_json library_versions();

}  // namespace rv::workers
