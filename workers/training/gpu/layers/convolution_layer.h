#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Adds a convolution by cuDNN, and the statistics of the norm after it, which must exist.
void add_convolution(GpuStep& step, const Layer& layer);
/// Adds the gradient of the weights, and that of the input unless it is the network's input.
void add_convolution_back(GpuStep& step, const Layer& layer);

}  // namespace rv::workers
