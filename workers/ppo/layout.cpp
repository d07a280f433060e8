#include "workers/ppo/layout.h"

#include <cmath>
#include <stdexcept>

#include "workers/devices/random_input.h"
#include "workers/ppo/policy.h"

namespace rv::ppo {
namespace {

int filled_up(int count, int multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

}  // namespace

Layout layout_of(const envs::Sizes& sizes, const std::array<int, 3>& hidden) {
  if (sizes.environments < 1 || sizes.observations < 1 || sizes.actions < 1 || hidden[0] < 1 || hidden[1] < 1 ||
      hidden[2] < 1) {
    throw std::invalid_argument("environments, observations, actions and layers must be at least 1");
  }
  if (sizes.actions > most_actions) throw std::invalid_argument("too many actions");
  Layout layout;
  layout.observations = sizes.observations;
  layout.actions = sizes.actions;
  layout.hidden = hidden;
  layout.width = filled_up(sizes.observations, 8);
  layout.outputs = filled_up(sizes.actions + 1, 8);
  const auto take = [&layout](int rows, int columns) {
    const auto at = layout.count;
    const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    layout.count += (size + 63) / 64 * 64;
    return at;
  };
  for (int layer = 0; layer < Layout::layers; ++layer) {
    const auto i = static_cast<std::size_t>(layer);
    const int rows = layer == Layout::layers - 1 ? layout.outputs : 2 * layout.outputs_of(layer);
    layout.weights[i] = take(rows, layout.inputs_of(layer));
  }
  for (int layer = 0; layer < Layout::layers; ++layer) {
    const int rows = layer == Layout::layers - 1 ? layout.outputs : 2 * layout.outputs_of(layer);
    layout.biases[static_cast<std::size_t>(layer)] = take(rows, 1);
  }
  layout.log_std = take(layout.actions, 1);
  return layout;
}

std::vector<std::size_t> learnt(const Layout& layout) {
  std::vector<std::size_t> all;
  const auto add = [&all](std::size_t begin, int count) {
    for (int i = 0; i < count; ++i) all.push_back(begin + static_cast<std::size_t>(i));
  };
  for (int layer = 0; layer < 3; ++layer) {
    const auto i = static_cast<std::size_t>(layer);
    const int rows = 2 * layout.outputs_of(layer), columns = layer == 0 ? layout.observations : layout.inputs_of(layer);
    for (int row = 0; row < rows; ++row) {
      add(layout.weights[i] + static_cast<std::size_t>(row) * static_cast<std::size_t>(layout.inputs_of(layer)),
          columns);
    }
    add(layout.biases[i], rows);
  }
  const auto half = layout.hidden[2];
  for (int row = 0; row <= layout.actions; ++row) {
    const auto begin = layout.weights[3] + static_cast<std::size_t>(row) * static_cast<std::size_t>(2 * half);
    add(row < layout.actions ? begin : begin + static_cast<std::size_t>(half), half);
  }
  add(layout.biases[3], layout.actions + 1);
  add(layout.log_std, layout.actions);
  return all;
}

std::vector<float> initial_parameters(const Layout& layout, double first_std, std::uint64_t seed) {
  std::vector<float> parameters(layout.count, 0.0F);
  const auto fan_in = [&layout](std::size_t index) {
    for (int layer = 0; layer < Layout::layers; ++layer) {
      const auto i = static_cast<std::size_t>(layer);
      const bool last = layer == Layout::layers - 1;
      const auto end = last ? layout.biases[0] : layout.weights[i + 1];
      const auto biases_end = last ? layout.log_std : layout.biases[i + 1];
      const bool weight = index >= layout.weights[i] && index < end;
      if (weight || (index >= layout.biases[i] && index < biases_end)) {
        return layer == 0 ? layout.observations : layout.hidden[i - 1];
      }
    }
    return 0;
  };
  for (const auto index : learnt(layout)) {
    const int inputs = fan_in(index);
    const auto bits = workers::scramble(workers::scramble(seed ^ 0x70706fU) ^ index);
    const double uniform = static_cast<double>(bits >> 11) * 0x1p-52 - 1;  // within -1 and 1
    parameters[index] = static_cast<float>(inputs == 0 ? std::log(first_std) : uniform / std::sqrt(inputs));
  }
  return parameters;
}

}  // namespace rv::ppo
