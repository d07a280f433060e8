#include "workers/training/network/network.h"

#include <cmath>

#include "workers/devices/random_input.h"

namespace rv::workers {
namespace {

/// A uniform number in (0, 1).
double uniform_number(std::uint64_t seed, std::uint64_t index) {
  return (static_cast<double>(scramble(scramble(seed) ^ index) >> 12) + 0.5) / static_cast<double>(1ULL << 52);
}

double normal_number(std::uint64_t seed, std::uint64_t index) {
  constexpr double two_pi = 6.283185307179586;
  return std::sqrt(-2 * std::log(uniform_number(seed, 2 * index))) *
         std::cos(two_pi * uniform_number(seed, 2 * index + 1));
}

}  // namespace

std::optional<std::size_t> Network::only_reader(int tensor) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].in != tensor && layers[i].residual != tensor) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::uint32_t dropout_kept(double rate) {
  return static_cast<std::uint32_t>(2 * std::lround((1 - rate) * 32768));
}

std::size_t Network::learnt() const {
  std::size_t sum = 0;
  for (const auto& p : parameters) {
    const bool padded = input >= 0 && p.shape.size() == 4 && p.shape[3] == shape(input).c && &p == &parameters[0];
    sum += padded ? p.count / static_cast<std::size_t>(p.shape[3]) * static_cast<std::size_t>(image_channels) : p.count;
  }
  return sum;
}

double Network::product_flop(const Layer& layer) const {
  const auto products =
      static_cast<double>(shape(layer.out).rows()) * static_cast<double>(parameter(layer.weight).count);
  // The padding of the first layer does not count.
  return 2 * products * (layer.in == input ? static_cast<double>(image_channels) / shape(layer.in).c : 1);
}

double Network::flop_per_step() const {
  double sum = 0;
  for (const auto& layer : layers) {
    if (layer.kind == LayerKind::convolution || layer.kind == LayerKind::linear) {
      // The gradient of the first layer's input is not needed.
      sum += product_flop(layer) * (layer.in == input ? 2 : 3);
    } else if (layer.kind == LayerKind::attention) {
      // Counted completely, as is usual, although half is masked.
      const auto& s = shape(layer.out);
      sum += 12.0 * static_cast<double>(s.rows()) * s.h * s.c;
    }
  }
  return sum;
}

std::vector<float> initial_parameters(const Network& network, std::uint64_t seed) {
  std::vector<float> all(network.parameter_space, 0.0F);
  for (std::size_t i = 0; i < network.parameters.size(); ++i) {
    const auto& p = network.parameters[i];
    const auto own = scramble(seed + i);
    // Initialised as if there were no padding, which must not change the result.
    const bool padded = i == 0 && network.input >= 0;
    const auto inner = static_cast<std::size_t>(p.shape.back());
    for (std::size_t k = 0; k < p.count; ++k) {
      if (padded && k % inner >= static_cast<std::size_t>(network.image_channels)) continue;
      double value = 0;
      if (p.beginning.kind == Beginning::Kind::one) value = 1;
      if (p.beginning.kind == Beginning::Kind::uniform) value = (2 * uniform_number(own, k) - 1) * p.beginning.size;
      if (p.beginning.kind == Beginning::Kind::normal) value = normal_number(own, k) * p.beginning.size;
      all[p.offset + k] = static_cast<float>(value);
    }
  }
  return all;
}

std::vector<float> initial_running(const Network& network) {
  std::vector<float> all(network.running_space, 0.0F);
  for (const auto& layer : network.layers) {
    if (layer.kind != LayerKind::batch_norm) continue;
    const auto channels = network.shape(layer.in).c;
    for (int c = 0; c < channels; ++c) {
      const auto variance = layer.running + channels + c;
      all[static_cast<std::size_t>(variance)] = 1;
    }
  }
  return all;
}

std::uint64_t dropout_base(std::uint64_t seed, int rank) {
  return scramble(scramble(seed + 1) ^ static_cast<std::uint64_t>(rank));
}

std::uint64_t dropout_key(std::uint64_t seed, int rank, std::uint64_t layer, std::int64_t step) {
  return scramble(dropout_base(seed, rank) ^ (layer << 40 ^ static_cast<std::uint64_t>(step)));
}

double position_encoding(int position, int channel, int width) {
  const int even = channel / 2 * 2;
  const double angle = position * std::exp(-even * std::log(10000.0) / width);
  return channel % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

}  // namespace rv::workers
