#pragma once

#include <memory>

#include "workers/compute/gemm.h"

namespace rv::workers {

/// Creates a product by cuBLASLt on the current CUDA device. Throws std::runtime_error with the message of CUDA or
/// cuBLASLt.
std::unique_ptr<Product> cuda_product(NumberType type, std::size_t n);

}  // namespace rv::workers
