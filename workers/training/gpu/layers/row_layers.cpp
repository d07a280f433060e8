#include "workers/training/gpu/layers/row_layers.h"

#include <vector>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/embedding_kernels.h"
#include "workers/training/gpu/kernels/layer_norm_kernels.h"
#include "workers/training/gpu/kernels/loss_kernels.h"
#include "workers/training/gpu/kernels/row_kernels.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {

void add_residual_norm(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto out = step.network.shape(layer.out);
  auto& own = step.layers[index];
  own.statistics = step.memory.keep_array<float>(2 * out.rows());
  auto* const y = step.value(layer.out).data = step.memory.keep(step.bytes(out));
  const RowShape shape{step.type, static_cast<std::int64_t>(out.rows()), out.c};
  step.work.add(
      "layer norm forward",
      [=, &step, x = step.value(layer.in).data, residual = step.value(layer.residual).data, saved = own.statistics,
       how = step.dropout(layer)](cudaStream_t stream) {
        add_layer_norm(shape, x, residual, step.wide(layer.weight), step.wide(layer.bias), how, step.numbers.state, y,
                       saved, stream);
      },
      least_forward(step, layer));
}

void add_residual_norm_back(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto out = step.network.shape(layer.out);
  const auto dy = step.value(layer.out).back.at(0);
  auto dx = step.memory.lend(step.bytes(out)), dresidual = step.memory.lend(step.bytes(out));
  const RowShape shape{step.type, static_cast<std::int64_t>(out.rows()), out.c};
  step.work.add(
      "layer norm backward",
      [=, &step, sum = step.value(layer.in).data, saved = step.layers[index].statistics, from = dy.get(), to = dx.get(),
       also_to = dresidual.get(), how = step.dropout(layer), dbias = step.bias_behind(layer.in)](cudaStream_t stream) {
        add_layer_norm_back(shape, sum, from, step.wide(layer.weight), saved, how, step.numbers.state, to, also_to,
                            step.slope(layer.weight), step.slope(layer.bias), dbias, step.partial, stream);
      },
      least_backward(step, layer));
  step.value(layer.in).back.push_back(std::move(dx));
  step.value(layer.residual).back.push_back(std::move(dresidual));
}

void add_embedding(GpuStep& step, const Layer& layer) {
  const auto out = step.network.shape(layer.out);
  auto* const y = step.value(layer.out).data = step.memory.keep(step.bytes(out));
  auto* const positions =
      step.memory.keep_array<float>(static_cast<std::size_t>(out.h) * static_cast<std::size_t>(out.c));
  const EmbeddingShape shape{step.type, static_cast<std::int64_t>(out.rows()), out.h, out.c,
                             step.network.parameter(layer.weight).shape[0]};
  step.work.add(
      "embedding",
      [=, &step, how = step.dropout(layer)](cudaStream_t stream) {
        embed(shape, static_cast<const int*>(step.numbers.input), step.wide(layer.weight), positions, how,
              step.numbers.state, y, stream);
      },
      least_forward(step, layer));
  if (step.request.rehearsal) return;
  std::vector<float> table;
  for (int position = 0; position < out.h; ++position) {
    for (int c = 0; c < out.c; ++c) table.push_back(static_cast<float>(position_encoding(position, c, out.c)));
  }
  cuda_call(cudaMemcpy(positions, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice),
            "copy to the GPU");
}

void add_embedding_back(GpuStep& step, const Layer& layer) {
  const auto out = step.network.shape(layer.out);
  const auto dy = step.value(layer.out).back.at(0);
  const EmbeddingShape shape{step.type, static_cast<std::int64_t>(out.rows()), out.h, out.c,
                             step.network.parameter(layer.weight).shape[0]};
  step.work.add(
      "embedding backward",
      [=, &step, from = dy.get(), how = step.dropout(layer)](cudaStream_t stream) {
        embed_back(shape, static_cast<const int*>(step.numbers.input), from, how, step.numbers.state,
                   step.slope(layer.weight), stream);
      },
      least_backward(step, layer));
}

void add_mean_pool(GpuStep& step, const Layer& layer) {
  const auto& in = step.network.shape(layer.in);
  step.value(layer.out).data = step.memory.keep(step.bytes(step.network.shape(layer.out)));
  step.work.add(
      "pool",
      [=, &step, x = step.value(layer.in).data, y = step.value(layer.out).data](cudaStream_t stream) {
        mean_pool(step.type, in.n, in.h * in.w, in.c, x, y, stream);
      },
      least_forward(step, layer));
}

void add_mean_pool_back(GpuStep& step, const Layer& layer) {
  const auto& in = step.network.shape(layer.in);
  auto dx = step.memory.lend(step.bytes(in));
  step.work.add(
      "pool",
      [=, &step, dy = step.value(layer.out).back.at(0).get(), to = dx.get()](cudaStream_t stream) {
        mean_pool_back(step.type, in.n, in.h * in.w, in.c, dy, to, stream);
      },
      least_backward(step, layer));
  step.value(layer.in).back.push_back(std::move(dx));
}

void add_loss(GpuStep& step) {
  const auto out = step.network.shape(step.network.output);
  const RowShape shape{step.type, static_cast<std::int64_t>(out.rows()), out.c};
  const float share = 1 / (static_cast<float>(out.rows()) * static_cast<float>(step.request.world));
  auto* const scores = step.value(step.network.output).data;
  step.work.add(
      "loss",
      [=, &step](cudaStream_t stream) {
        cross_entropy(shape, scores, step.numbers.labels, share, step.numbers.state, step.row_losses, stream);
        mean_loss(step.row_losses, shape.rows, step.numbers.state, step.numbers.losses, GpuNumbers::loss_capacity,
                  stream);
      },
      LeastWork{0, 2 * static_cast<double>(step.bytes(out))});
  // The scores' memory contains their gradients now.
  step.value(step.network.output).back.push_back(GpuMemory::Lease(scores, [](void*) {}));
}

void add_dropout(GpuStep& step, std::size_t index) {
  if (step.layers[index].fused) return;
  const auto& layer = step.network.layers[index];
  const auto& in = step.network.shape(layer.in);
  auto* const x = step.value(layer.in).data;
  step.value(layer.out).data = x;  // in place: the bits record what was dropped
  const auto count = static_cast<std::int64_t>(in.count());
  step.layers[index].signs = step.memory.keep_array<std::uint8_t>(in.count() / 8);
  step.work.add(
      "dropout forward",
      [=, &step, bits = step.layers[index].signs, how = step.dropout(layer)](cudaStream_t stream) {
        drop_rows(step.type, count, how, step.numbers.state, x, x, bits, stream);
      },
      least_forward(step, layer));
}

void add_dropout_back(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto dx = step.value(layer.out).back.at(0);
  step.value(layer.in).back.push_back(dx);
  if (step.layers[index].fused) return;
  const auto in = step.network.shape(layer.in);
  const RowShape shape{step.type, static_cast<std::int64_t>(in.rows()), in.c};
  step.work.add(
      "dropout backward",
      [=, &step, data = dx.get(), bits = step.layers[index].signs, scale = static_cast<float>(layer.dropout.scale()),
       dbias = step.bias_behind(layer.in)](cudaStream_t stream) {
        mask_rows(shape, data, bits, scale, data, dbias, step.partial, stream);
      },
      least_backward(step, layer));
}

}  // namespace rv::workers
