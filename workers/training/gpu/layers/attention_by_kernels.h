#pragma once

#include <cstddef>

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Adds attention in one pass by rv's own kernels.
void add_attention_by_kernels(GpuStep& step, std::size_t index);
void add_attention_by_kernels_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
