#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Adds a product with bias by cuBLASLt, optionally with ReLU.
void add_linear(GpuStep& step, const Layer& layer);
void add_linear_back(GpuStep& step, const Layer& layer);

}  // namespace rv::workers
