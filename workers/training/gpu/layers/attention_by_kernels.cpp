#include "workers/training/gpu/layers/attention_by_kernels.h"

#include "workers/training/gpu/kernels/attention/attention_kernels.h"
#include "workers/training/gpu/step/least_work.h"

namespace rv::workers {
namespace {

AttentionSizes sizes_of(const GpuStep& step, const Layer& layer) {
  const auto& out = step.network.shape(layer.out);
  return {step.type, out.n, out.h, layer.heads};
}

}  // namespace

void add_attention_by_kernels(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto out = step.network.shape(layer.out);
  const auto sizes = sizes_of(step, layer);
  auto& own = step.layers[index];
  step.attention.way = "rv's kernels, in one pass";
  own.statistics = step.memory.keep_array<float>(out.rows() * static_cast<std::size_t>(layer.heads));
  own.kept = step.memory.keep_array<std::uint32_t>(attention_kept_words(sizes));
  auto* const y = step.value(layer.out).data = step.memory.keep(step.bytes(out));
  step.work.add(
      "attention forward",
      [=, qkv = step.value(layer.in).data, how = step.dropout(layer), state = step.numbers.state,
       statistics = own.statistics,
       kept = own.kept](cudaStream_t stream) { causal_attention(sizes, qkv, how, state, y, statistics, kept, stream); },
      least_forward(step, layer));
}

void add_attention_by_kernels_back(GpuStep& step, std::size_t index) {
  const auto& layer = step.network.layers[index];
  const auto& own = step.layers[index];
  const auto out = step.network.shape(layer.out);
  const auto dy = step.value(layer.out).back.at(0);
  auto dqkv = step.memory.lend(step.bytes(step.network.shape(layer.in)));
  const auto sums = step.memory.lend(out.rows() * static_cast<std::size_t>(layer.heads) * sizeof(float));
  const auto sizes = sizes_of(step, layer);
  const auto columns = step.memory.lend(attention_column_floats(sizes) * sizeof(float));
  step.work.add(
      "attention backward",
      [sizes, qkv = step.value(layer.in).data, y = step.value(layer.out).data, from = dy.get(),
       how = step.dropout(layer), statistics = own.statistics, kept = own.kept, room = static_cast<float*>(sums.get()),
       to = dqkv.get(), parts = static_cast<float*>(columns.get()),
       dbias = step.bias_behind(layer.in)](cudaStream_t stream) {
        causal_attention_back(sizes, qkv, y, from, statistics, how, kept, room, to, parts, dbias, stream);
      },
      least_backward(step, layer));
  step.value(layer.in).back.push_back(std::move(dqkv));
}

}  // namespace rv::workers
