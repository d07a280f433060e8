#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// A linear layer with a ReLU, the dropout behind it and the linear layer behind that: where rv's own products can take
/// them (dropped_products.h), what is dropped goes through memory once in place of three times.

/// The forward pass of this layer and of the dropout behind it, which is fused then; false: they are none of these.
bool add_dropped_linear(GpuStep& step, const Layer& layer);
/// The input gradient of the linear layer behind a dropout that is fused, with the dropout's and the ReLU's; false: it
/// is not behind one.
bool add_masked_gradient(GpuStep& step, const Layer& layer);

}  // namespace rv::workers
