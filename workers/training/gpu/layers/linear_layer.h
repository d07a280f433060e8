#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// A product with bias by cuBLASLt, and a ReLU where asked.
void add_linear(GpuStep& step, const Layer& layer);
void add_linear_back(GpuStep& step, const Layer& layer);

}  // namespace rv::workers
