#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// A batch norm, whose statistics the convolution before has added, with the residual, the ReLU and the pooling behind
/// it in one pass over the numbers.
void add_batch_norm(GpuStep& step, std::size_t index);
void add_batch_norm_back(GpuStep& step, std::size_t index);

}  // namespace rv::workers
