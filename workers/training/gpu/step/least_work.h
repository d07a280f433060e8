#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// The minimum work to compute a layer with any algorithm: the multiplications and additions of its products, one read
/// of each operand and one write of each result. A part that needs two passes over its input, or stores intermediate
/// results in memory, does more.

/// The forward pass of any layer. The statistics of a batch_norm count for the convolution before it, which has the
/// values at hand; a pooling after it counts for the batch_norm.
LeastWork least_forward(const GpuStep& step, const Layer& layer);
/// The backward pass of a layer without products of weights; for attention all its products.
LeastWork least_backward(const GpuStep& step, const Layer& layer);
/// The weight gradient of a convolution or a linear layer.
LeastWork least_weight_gradient(const GpuStep& step, const Layer& layer);
LeastWork least_input_gradient(const GpuStep& step, const Layer& layer);
/// The update of `parameters` weights, of which `narrow` have gradients in the products' stored type.
LeastWork least_update(const GpuStep& step, std::size_t parameters, std::size_t narrow);

}  // namespace rv::workers
