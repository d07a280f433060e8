#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Attention in one pass by cuDNN, or by products where it has no plan.
void add_attention(GpuStep& step, std::size_t index);
void add_attention_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
