#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// Adds a batch norm with the residual, the ReLU and the pooling after it, in one pass over the numbers. The
/// convolution before it has computed its sums.
void add_batch_norm(GpuStep& step, std::size_t index);
void add_batch_norm_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
