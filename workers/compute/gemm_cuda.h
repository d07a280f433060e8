#pragma once

#include <memory>

#include "workers/compute/gemm.h"

namespace rv::workers {

/// The same product through cuBLASLt on the current CUDA device. Throws what CUDA or cuBLASLt say.
std::unique_ptr<Product> cuda_product(NumberType type, std::size_t n);

}  // namespace rv::workers
