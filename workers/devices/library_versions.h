#pragma once

#include <nlohmann/json.hpp>

namespace rv::workers {

/// {"cuda_driver", "cuda_runtime", "cublaslt", "nccl"}: "13.0", or null for what is not there or not built in. Does not
/// use a GPU.
nlohmann::ordered_json library_versions();

}  // namespace rv::workers
