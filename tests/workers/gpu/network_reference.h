// One training step of a network on the host in double, the same step on a GPU, and how far two results are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "workers/training/data/data_source.h"
#include "workers/training/gpu/gpu_network.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// A network with its input, and one step of it on the host. It is computed once for all precisions: in double it takes
/// most of the time.
struct Reference {
  explicit Reference(const Network& of);

  Network network;
  Batch batch;
  std::vector<float> start;
  std::vector<double> gradients, running;
  double loss = 0, right = 0;
  double float_off = 0;  ///< how far the worst of the host's own gradients in float is off
};

/// What one step on the GPU left.
struct Step {
  std::vector<float> gradients, parameters, momentum, running;
  StepState state{};
  double loss = 0, right = 0;
};

/// A step from the reference's start, on its batch.
Step one_step(const Reference& of, GpuNetwork& gpu, GpuPrecision precision, float loss_scale);
GpuRequest request_for(GpuPrecision precision, bool same_bits);

/// Sums of squares.
struct Squares {
  double difference = 0, expected = 0;
  double ratio(double least = 0) const { return std::sqrt(difference / std::max({expected, least, 1e-30})); }
};

template <class Number>
Squares squares(const Parameter& p, const std::vector<double>& expected, const std::vector<Number>& got) {
  Squares sum;
  for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
    const double off = expected[i] - static_cast<double>(got[i]);
    sum.difference += off * off;
    sum.expected += expected[i] * expected[i];
  }
  return sum;
}

/// Of all gradients that belong to a parameter.
template <class Number>
Squares all_squares(const Network& network, const std::vector<double>& expected, const std::vector<Number>& got) {
  Squares sum;
  for (const auto& p : network.parameters) {
    const auto one = squares(p, expected, got);
    sum.difference += one.difference;
    sum.expected += one.expected;
  }
  return sum;
}

/// The parameter whose gradient is farthest off, relative to itself. Most of the whole belongs to the last layer, which
/// would hide the others. Some biases have next to no gradient, as a norm behind them takes it away: those below a
/// ten-thousandth of the whole count as that much.
template <class Number>
std::pair<double, std::string> worst_parameter(const Network& network, const std::vector<double>& expected,
                                               const std::vector<Number>& got) {
  const double least = 1e-8 * all_squares(network, expected, got).expected;
  std::pair<double, std::string> worst{0, ""};
  for (const auto& p : network.parameters) {
    const auto off = squares(p, expected, got).ratio(least);
    if (!(off <= worst.first)) worst = {off, p.name};
  }
  return worst;
}

}  // namespace rv::workers
