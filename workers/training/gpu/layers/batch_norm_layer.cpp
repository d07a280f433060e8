#include "workers/training/gpu/layers/batch_norm_layer.h"

#include <stdexcept>

#include "workers/training/gpu/kernels/norm_back_kernels.h"
#include "workers/training/gpu/kernels/norm_kernels.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {

void add_batch_norm(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto in = step.network.shape(layer.in);
  auto& own = step.layers[index];
  const NormShape shape{step.type, static_cast<std::int64_t>(in.rows()), in.c};
  const NormMemory memory{own.statistics, step.partial, step.counters};
  const auto* const x = step.value(layer.in).data;
  const bool pooled = index + 1 < step.network.layers.size() &&
                      step.network.layers[index + 1].kind == LayerKind::max_pool && layer.relu && layer.residual < 0;
  if (pooled) {
    const auto& next = step.network.layers[index + 1];
    const auto out = step.network.shape(next.out);
    step.layers[index + 1].fused = true;
    own.signs = step.memory.keep_array<std::uint8_t>(out.count());
    auto* const y = step.value(next.out).data = step.memory.keep(step.bytes(out));
    step.work.add(
        "norm forward",
        [=, places = own.signs](cudaStream_t stream) {
          norm_pool(shape, {in.n, in.h, in.w, out.h, out.w}, x, y, places, memory, stream);
        },
        LeastWork{0, static_cast<double>(step.bytes(in) + step.bytes(out) + out.count())});
    return;
  }
  auto* const y = step.value(layer.out).data = step.memory.keep(step.bytes(in));
  const void* const residual = layer.residual >= 0 ? step.value(layer.residual).data : nullptr;
  if (layer.relu && residual != nullptr) own.signs = step.memory.keep_array<std::uint8_t>(in.count() / 8);
  step.work.add(
      "norm forward",
      [=, signs = own.signs, relu = layer.relu](cudaStream_t stream) {
        norm_apply(shape, x, residual, relu, y, signs, memory, stream);
      },
      least_forward(step, layer));
}

void add_batch_norm_back(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto in = step.network.shape(layer.in);
  auto& own = step.layers[index];
  const bool pooled = index + 1 < step.network.layers.size() && step.layers[index + 1].fused;
  const int from = pooled ? step.network.layers[index + 1].out : layer.out;
  auto& parts = step.value(from).back;
  if (parts.empty() || parts.size() > 2) throw std::runtime_error(layer.name + " has too many gradients");
  NormBack back;
  back.first = parts[0].get();
  back.second = parts.size() > 1 ? parts[1].get() : nullptr;
  back.relu = layer.relu && layer.residual < 0;
  if (pooled) {
    const auto& out = step.network.shape(from);
    back.places = own.signs;
    back.pool = {in.n, in.h, in.w, out.h, out.w};
  } else {
    back.signs = own.signs;
  }
  if (layer.residual >= 0) {
    // The gradient that continues unchanged to the residual replaces the incoming one.
    back.sum = parts[0].get();
    step.value(layer.residual).back.push_back(parts[0]);
  }
  auto dx = step.memory.lend(step.bytes(in));
  const NormShape shape{step.type, static_cast<std::int64_t>(in.rows()), in.c};
  const NormMemory memory{own.statistics, step.partial, step.counters};
  step.work.add(
      "norm backward",
      [=, &step, x = step.value(layer.in).data, to = dx.get()](cudaStream_t stream) {
        norm_back(shape, x, back, to, step.slope(layer.weight), step.slope(layer.bias), memory, stream);
      },
      least_backward(step, layer));
  step.value(layer.in).back.push_back(std::move(dx));
  if (pooled) parts.clear();
}

}  // namespace rv::workers
