#pragma once

#include "workers/training/gpu/step/gpu_step.h"

namespace rv::workers {

/// What no way to compute a layer can do without: the multiplications and additions of its products, and each operand
/// read and each result written once. A part that needs two passes over its input, or hands something on in memory,
/// does more.

/// The forward pass of any layer. A batch_norm's statistics count as the convolution's before it, which has its output
/// at hand; a pooling behind it as its own.
LeastWork least_forward(const GpuStep& step, const Layer& layer);
/// The backward pass of a layer without products of weights; of attention all its products.
LeastWork least_backward(const GpuStep& step, const Layer& layer);
/// Of a convolution or a linear layer.
LeastWork least_weight_gradient(const GpuStep& step, const Layer& layer);
LeastWork least_input_gradient(const GpuStep& step, const Layer& layer);
/// New weights of so many parameters, of which `narrow` have gradients as the products store them.
LeastWork least_update(const GpuStep& step, std::size_t parameters, std::size_t narrow);

}  // namespace rv::workers
