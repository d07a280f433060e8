#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Adds attention in one pass by cuDNN, or by products if cuDNN has no plan.
void add_attention(GpuStep& step, std::size_t index);
void add_attention_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
