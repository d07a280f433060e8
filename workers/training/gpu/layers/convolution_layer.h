#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// A convolution by cuDNN, and the statistics of the norm behind it, which there must be.
void add_convolution(GpuStep& step, const Layer& layer);
/// The weights' gradient, and the input's unless it is the network's own.
void add_convolution_back(GpuStep& step, const Layer& layer);

}  // namespace rv::workers
