#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Attention as products of cuBLASLt's and a softmax between them, whose weights are kept for the backward pass. The
/// forward pass finds the memory of its result in the output's value.
void add_attention_by_products(GpuStep& step, std::size_t index);
void add_attention_by_products_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
