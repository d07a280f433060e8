#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workers/envs/environments.h"
#include "workers/ppo/settings.h"

namespace rv::ppo {

/// The positions of the parameters of actor and critic in one array, so that both networks are computed together: the
/// first layer is one product with the rows of both networks, the next two layers are two products each, and the last
/// one has a row for each action and one for the value. Weights are row-major, outputs × inputs.
struct Layout {
  static constexpr int layers = 4;
  int observations = 0, actions = 0;
  int width = 0;    ///< of a row of observations, padded with zeros to a size for tensor cores
  int outputs = 0;  ///< actions and value, padded
  std::array<int, 3> hidden{};
  std::array<std::size_t, layers> weights{}, biases{};
  std::size_t log_std = 0;  ///< position of log σ, one per action
  std::size_t count = 0;    ///< floats, including gaps, which stay 0

  /// Inputs and outputs of a layer of one network; of both networks in the last layer.
  constexpr int inputs_of(int layer) const {
    if (layer == 0) return width;
    const int before = hidden[static_cast<std::size_t>(layer - 1)];
    return layer == layers - 1 ? 2 * before : before;
  }
  constexpr int outputs_of(int layer) const {
    return layer == layers - 1 ? outputs : hidden[static_cast<std::size_t>(layer)];
  }
  /// Whether this weight of the last layer is used: rows of actions use the actor's half, the row of the value the
  /// critic's.
  constexpr bool used_in_last(int row, int column) const {
    return row < actions ? column < hidden[2] : row == actions && column >= hidden[2];
  }
};

/// Throws std::invalid_argument if a size is not positive.
Layout layout_of(const envs::Sizes& sizes, const std::array<int, 3>& hidden);

/// Indices of the learnt parameters: all but the gaps.
std::vector<std::size_t> learnt(const Layout& layout);

/// Initial parameters: uniform within ±1/√fan-in, as in PyTorch's linear layers, and log(first_std).
std::vector<float> initial_parameters(const Layout& layout, double first_std, std::uint64_t seed);

}  // namespace rv::ppo
