#pragma once

#include <cstddef>

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Attention by rv's own kernels, in one pass.
void add_attention_by_kernels(GpuStep& step, std::size_t index);
void add_attention_by_kernels_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
