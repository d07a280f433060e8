#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Adds attention as products by cuBLASLt with a softmax in between; the weights are kept for the backward pass. The
/// result of the forward pass is in the memory of the output's value.
void add_attention_by_products(GpuStep& step, std::size_t index);
void add_attention_by_products_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
