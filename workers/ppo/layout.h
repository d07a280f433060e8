#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workers/envs/environments.h"
#include "workers/ppo/settings.h"

namespace rv::ppo {

/// Where the parameters of actor and critic lie in one array, so that both nets are computed together: the first layer
/// is one product with both nets' rows, the next two are two products side by side, the last is one with a row for each
/// action and one for the value. Weights are row-major, outputs × inputs.
struct Layout {
  static constexpr int layers = 4;
  int observations = 0, actions = 0;
  int width = 0;    ///< of a row of observations, filled up with zeros to what tensor cores take
  int outputs = 0;  ///< actions and value, filled up
  std::array<int, 3> hidden{};
  std::array<std::size_t, layers> weights{}, biases{};
  std::size_t log_std = 0;  ///< a logarithm of the standard deviation for each action
  std::size_t count = 0;    ///< of floats, gaps included, which stay 0

  /// Inputs and outputs of one net's layer; of both nets in the last one.
  constexpr int inputs_of(int layer) const {
    if (layer == 0) return width;
    const int before = hidden[static_cast<std::size_t>(layer - 1)];
    return layer == layers - 1 ? 2 * before : before;
  }
  constexpr int outputs_of(int layer) const {
    return layer == layers - 1 ? outputs : hidden[static_cast<std::size_t>(layer)];
  }
  /// The last layer's row sees one net only: actions the actor's half, the value the critic's.
  constexpr bool used_in_last(int row, int column) const {
    return row < actions ? column < hidden[2] : row == actions && column >= hidden[2];
  }
};

/// Throws std::invalid_argument where a size is not positive.
Layout layout_of(const envs::Sizes& sizes, const std::array<int, 3>& hidden);

/// Indices of what is learnt: all but the gaps.
std::vector<std::size_t> learnt(const Layout& layout);

/// Uniform within ±1/√fan-in, as PyTorch's linear layers begin, and log(first_std).
std::vector<float> initial_parameters(const Layout& layout, double first_std, std::uint64_t seed);

}  // namespace rv::ppo
