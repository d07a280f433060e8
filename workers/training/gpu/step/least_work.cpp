#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {
namespace {

double bytes(const GpuStep& step, int tensor) {
  return static_cast<double>(step.bytes(step.network.shape(tensor)));
}

/// Bytes of the weights in the type that products read.
double weight_bytes(const GpuStep& step, const Layer& layer) {
  return static_cast<double>(step.network.parameter(layer.weight).count * gpu_bytes(step.type));
}

/// Operations of two of attention's products, scores and values for each pair; half of the pairs are masked.
double two_products(const GpuStep& step, const Layer& layer) {
  const auto& out = step.network.shape(layer.out);
  return 2.0 * static_cast<double>(out.rows()) * out.h * out.c;
}

/// Bytes of one bit per element.
double bits(const GpuStep& step, int tensor) {
  return static_cast<double>(step.network.shape(tensor).count()) / 8;
}

}  // namespace

LeastWork least_forward(const GpuStep& step, const Layer& layer) {
  const double in = layer.in >= 0 ? bytes(step, layer.in) : 0, out = bytes(step, layer.out);
  switch (layer.kind) {
    case LayerKind::convolution:
    case LayerKind::linear:
      return {step.network.product_flop(layer), in + weight_bytes(step, layer) + out};
    case LayerKind::batch_norm:
      if (layer.residual >= 0) return {0, in + bytes(step, layer.residual) + out + bits(step, layer.out)};
      return {0, in + out};
    case LayerKind::add_layer_norm:
      return {0, in + bytes(step, layer.residual) + in + out};  // the sum is kept for the backward pass
    case LayerKind::attention:
      return {two_products(step, layer), in + out};
    case LayerKind::drop_out:
      return {0, in + out + bits(step, layer.in)};
    default:
      return {0, in + out};
  }
}

LeastWork least_backward(const GpuStep& step, const Layer& layer) {
  const double in = layer.in >= 0 ? bytes(step, layer.in) : 0, out = bytes(step, layer.out);
  switch (layer.kind) {
    case LayerKind::batch_norm:
      // The input, the gradients, and the resulting gradient; with a residual its gradient, too.
      if (layer.residual >= 0) return {0, in + 2 * out + in + bits(step, layer.out)};
      return {0, in + out + in};
    case LayerKind::add_layer_norm:
      return {0, in + out + in + bytes(step, layer.residual)};
    case LayerKind::attention:
      return {2.5 * two_products(step, layer), in + 2 * out + in};
    case LayerKind::drop_out:
      return {0, in + out + bits(step, layer.in)};
    case LayerKind::embedding:
      return {0, out + static_cast<double>(step.network.parameter(layer.weight).count * sizeof(float))};
    default:
      return {0, in + out};
  }
}

LeastWork least_weight_gradient(const GpuStep& step, const Layer& layer) {
  // A linear layer's products may write fp32.
  const double factor = layer.kind == LayerKind::linear && !step.request.narrows_gradients()
                            ? static_cast<double>(sizeof(float)) / static_cast<double>(gpu_bytes(step.type))
                            : 1;
  return {step.network.product_flop(layer),
          bytes(step, layer.in) + bytes(step, layer.out) + factor * weight_bytes(step, layer)};
}

LeastWork least_input_gradient(const GpuStep& step, const Layer& layer) {
  return {step.network.product_flop(layer), bytes(step, layer.in) + bytes(step, layer.out) + weight_bytes(step, layer)};
}

LeastWork least_update(const GpuStep& step, std::size_t parameters, std::size_t narrow) {
  const auto stored = static_cast<double>(gpu_bytes(step.type));
  const bool copies = step.type != GpuType::fp32;
  // Momentum and weight are read and written, a weight's narrow copy is written, and its gradient is read.
  const double each = 5 * sizeof(float) + (copies ? stored : 0), less = sizeof(float) - stored;
  return {0, each * static_cast<double>(parameters) - less * static_cast<double>(narrow)};
}

}  // namespace rv::workers
