#include "workers/ppo/gpu/gpu_arrays.h"

#include <algorithm>

namespace rv::ppo {

GpuShape gpu_shape(const Layout& layout, int environments, const Settings& settings) {
  GpuShape shape;
  shape.environments = environments;
  shape.observations = layout.observations;
  shape.actions = layout.actions;
  shape.width = layout.width;
  shape.outputs = layout.outputs;
  shape.steps = settings.steps;
  shape.samples = environments * settings.steps;
  shape.rows = shape.samples / settings.mini_batches;
  for (int slices = std::clamp(shape.rows / 512, 1, 32); slices > 0; --slices) {
    if (shape.rows % slices != 0) continue;
    shape.slices = slices;
    break;
  }
  shape.slabs = std::clamp(shape.rows / 64, 1, 256);
  shape.loss_blocks = (shape.rows + 127) / 128;
  return shape;
}

GpuArrays lay_out(const Layout& layout, const GpuShape& shape, workers::GpuType type, workers::GpuMemory& memory) {
  GpuArrays a{};
  const auto size = [](int count) { return static_cast<std::size_t>(count); };
  const auto environments = size(shape.environments), samples = size(shape.samples), actions = size(shape.actions);
  const auto bytes = workers::gpu_bytes(type);
  const auto most_rows = size(std::max(shape.rows, shape.environments));
  const auto floats = [&memory](std::size_t count) { return memory.keep_array<float>(count); };
  a.parameters = floats(layout.count);
  a.first = floats(layout.count);
  a.second = floats(layout.count);
  a.gradients = floats(layout.count + passenger_count);
  a.narrow = type == workers::GpuType::fp32 ? a.parameters : memory.keep(layout.biases[0] * bytes);
  a.seen = floats(environments * size(shape.observations));
  a.current = memory.keep(environments * size(shape.width) * bytes);
  a.observations = memory.keep(samples * size(shape.width) * bytes);
  a.sample_of = memory.keep_array<std::uint32_t>(samples);
  a.actions = floats(samples * actions);
  a.means = floats(samples * actions);
  a.log_densities = floats(samples);
  a.values = floats(samples + environments);
  a.advantages = floats(samples);
  a.wanted_values = floats(samples);
  a.rewards = floats(samples);
  a.old_log_std = floats(actions);
  a.terminated = memory.keep_array<std::uint8_t>(samples);
  a.timed_out = memory.keep_array<std::uint8_t>(samples);
  for (auto* array : {&a.episode_rewards, &a.ended_rewards, &a.ended_lengths, &a.ended, &a.step_rewards}) {
    *array = floats(environments);
  }
  a.episode_lengths = memory.keep_array<std::int32_t>(environments);
  std::size_t widest = 0;
  for (std::size_t layer = 0; layer < 3; ++layer) {
    const auto row = 2 * size(layout.hidden[layer]);
    widest = std::max(widest, row);
    a.active[layer] = memory.keep(most_rows * row * bytes);
    a.back[layer] = memory.keep(size(shape.rows) * row * bytes);
  }
  a.out = floats(most_rows * size(shape.outputs));
  a.d_out = memory.keep(size(shape.rows) * size(shape.outputs) * bytes);
  a.slices = floats(size(shape.slices) * layout.biases[0]);
  a.slabs = floats(size(shape.slabs) * widest);
  a.loss_parts = floats(size(shape.loss_blocks) * size(shape.sums()));
  a.moments = memory.keep_array<double>(2);
  a.partial = memory.keep_array<double>(std::size_t{2} * reduce_blocks);
  a.progress = memory.keep_array<Progress>(1);
  a.update = memory.keep_array<Update<float>>(1);
  a.collected = memory.keep_array<Passengers>(1);
  a.losses = memory.keep_array<LossFigures>(1);
  a.warned = floats(1);
  a.workspace = memory.keep(product_workspace);
  return a;
}

}  // namespace rv::ppo
