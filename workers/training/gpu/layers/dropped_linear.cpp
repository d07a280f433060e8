#include "workers/training/gpu/layers/dropped_linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "workers/training/gpu/kernels/products/dropped_products.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {
namespace {

DroppedProduct sizes_of(const GpuStep& step, const TensorShape& dropped, int inner) {
  return {step.type, static_cast<std::int64_t>(dropped.rows()), dropped.c, inner};
}

/// The dropout after a linear layer, if rv's own products can compute both products around it.
std::optional<std::size_t> dropout_behind(const GpuStep& step, const Layer& layer) {
  const auto& layers = step.network.layers;
  if (!layer.relu) return std::nullopt;
  const auto drop = step.network.only_reader(layer.out);
  if (!drop || layers[*drop].kind != LayerKind::drop_out) return std::nullopt;
  const auto after = step.network.only_reader(layers[*drop].out);
  if (!after || layers[*after].kind != LayerKind::linear || layers[*after].relu) return std::nullopt;
  const auto& dropped = step.network.shape(layer.out);
  const bool possible = dropped_products_run(sizes_of(step, dropped, step.network.shape(layer.in).c)) &&
                        dropped_products_run(sizes_of(step, dropped, step.network.shape(layers[*after].out).c));
  return possible ? drop : std::nullopt;
}

}  // namespace

bool add_dropped_linear(GpuStep& step, const Layer& layer) {
  const auto found = dropout_behind(step, layer);
  if (!found) return false;
  const auto& drop = step.network.layers[*found];
  auto& own = step.layers[*found];
  own.fused = true;
  const auto out = step.network.shape(layer.out);
  auto* const y = step.memory.keep(step.bytes(out));
  step.value(layer.out).data = step.value(drop.out).data = y;
  own.signs = step.memory.keep_array<std::uint8_t>(product_signs_bytes(static_cast<std::int64_t>(out.rows()), out.c));
  const auto sizes = sizes_of(step, out, step.network.shape(layer.in).c);
  step.work.add(
      fmt::format("product forward to {}, dropout", out.c),
      [=, x = step.value(layer.in).data, w = step.narrow(layer.weight), bias = step.narrow(layer.bias),
       how = step.dropout(drop), state = step.numbers.state, signs = own.signs](cudaStream_t stream) {
        relu_dropout_product(sizes, x, w, bias, how, state, y, signs, stream);
      },
      least_forward(step, layer));
  return true;
}

bool add_masked_gradient(GpuStep& step, const Layer& layer) {
  const auto& layers = step.network.layers;
  const auto drop = std::find_if(layers.begin(), layers.end(), [&](const Layer& one) { return one.out == layer.in; });
  if (drop == layers.end() || drop->kind != LayerKind::drop_out) return false;
  const auto& own = step.layers[static_cast<std::size_t>(drop - layers.begin())];
  if (!own.fused) return false;
  const auto& in = step.network.shape(layer.in);
  const auto sizes = sizes_of(step, in, step.network.shape(layer.out).c);
  auto dx = step.memory.lend(step.bytes(in));
  step.work.add(
      fmt::format("product input gradient to {}, dropout", in.c),
      [=, dy = step.value(layer.out).back.at(0).get(), w = step.narrow(layer.weight), signs = own.signs,
       scale = static_cast<float>(drop->dropout.scale()), to = dx.get(), dbias = step.bias_behind(drop->in),
       partial = step.partial](cudaStream_t stream) {
        masked_product(sizes, dy, w, signs, scale, to, dbias, partial, stream);
      },
      least_input_gradient(step, layer));
  step.value(layer.in).back.push_back(std::move(dx));
  return true;
}

}  // namespace rv::workers
