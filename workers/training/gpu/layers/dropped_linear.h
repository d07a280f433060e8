#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// A linear layer with a ReLU, the dropout after it and the next linear layer. If rv's own products support them
/// (dropped_products.h), the values of the dropout pass through memory once instead of three times.

/// Adds the forward pass of this layer and of the dropout after it, which is then fused. False if these layers do not
/// have this form.
bool add_dropped_linear(GpuStep& step, const Layer& layer);
/// Adds the input gradient of the linear layer after a fused dropout, with those of the dropout and the ReLU. False if
/// it does not follow one.
bool add_masked_gradient(GpuStep& step, const Layer& layer);

}  // namespace rv::workers
