#include "workers/stress/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workers/devices/random_input.h"

namespace rv::workers {
namespace {

constexpr int looked_at = 8;
/// The rounding error of a sum of 100,000 fp32 products is less than a tenth of this.
constexpr double allowed = 1e-3;

double expected(std::size_t side, std::size_t row, std::size_t column) {
  const auto scale = load_scale(side);
  double sum = 0;
  for (std::size_t k = 0; k < side; ++k) {
    sum += static_cast<double>(load_input(1, row * side + k, scale)) * load_input(2, k * side + column, scale);
  }
  const auto at = row * side + column;
  return (std::tanh(std::max(sum, 0.0)) + load_input(1, at, scale)) * load_input(2, at, scale);
}

}  // namespace

double load_scale(std::size_t side) {
  return 1 / std::sqrt(std::sqrt(static_cast<double>(side)));
}

float load_input(std::uint64_t seed, std::uint64_t index, double scale) {
  return static_cast<float>(random_input(seed, index) * scale);
}

std::string wrong_result(Load& load, std::size_t side, float offset) {
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    const auto row = static_cast<std::size_t>(scramble(2 * i) % side);
    const auto column = static_cast<std::size_t>(scramble(2 * i + 1) % side);
    const double computed = load.result(row, column) + offset, right = expected(side, row, column);
    if (std::abs(computed - right) <= allowed * std::max(1.0, std::abs(right))) continue;  // false for NaN
    return fmt::format("wrong result: element ({}, {}) is {:.6g}, expected {:.6g}", row, column, computed, right);
  }
  return "";
}

}  // namespace rv::workers
