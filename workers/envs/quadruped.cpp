#include "workers/envs/quadruped.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "workers/envs/quadruped_paths.h"
#include "workers/envs/terrain/terrain.h"

namespace rv::envs {
namespace {

/// The header of a packed state, which fits only environments of the same number, task and seed.
struct Label {
  std::uint64_t format, seed;
  std::int64_t first_environment, environments, rough;
};

Label label_of(const QuadrupedParts& parts) {
  constexpr std::uint64_t format = 0x7276717561640001U;  // "rvquad", version 1
  return {format, parts.settings.seed, parts.settings.first_environment, parts.environments, parts.settings.rough};
}

}  // namespace

std::size_t store_words(int environments) {
  return words_of_environment() * static_cast<std::size_t>(environments);
}

Store store_at(void* words, int environments) {
  const auto n = static_cast<std::size_t>(environments);
  auto* const numbers = static_cast<float*>(words);
  auto* const legs = numbers + Store::base_numbers * n;
  auto* const counts =
      static_cast<std::uint32_t*>(words) + (Store::base_numbers + Model::legs * Store::leg_numbers) * n;
  return {numbers, legs, counts, environments};
}

std::size_t terrain_bytes(bool rough) {
  return rough ? std::size_t{TerrainMap::rows} * TerrainMap::columns * sizeof(float) : 0;
}

std::vector<std::byte> packed_state(const QuadrupedParts& parts, const std::vector<std::uint32_t>& words) {
  const Label label = label_of(parts);
  std::vector<std::byte> state(sizeof label + words.size() * sizeof(std::uint32_t));
  std::memcpy(state.data(), &label, sizeof label);
  std::memcpy(state.data() + sizeof label, words.data(), state.size() - sizeof label);
  return state;
}

std::vector<std::uint32_t> unpacked_state(const QuadrupedParts& parts, const std::vector<std::byte>& state) {
  const Label label = label_of(parts);
  std::vector<std::uint32_t> words(store_words(parts.environments));
  if (state.size() != sizeof label + words.size() * sizeof(std::uint32_t) ||
      std::memcmp(state.data(), &label, sizeof label) != 0) {
    throw std::runtime_error("this state belongs to other environments: number, task, seed and rank must match");
  }
  std::memcpy(words.data(), state.data() + sizeof label, state.size() - sizeof label);
  return words;
}

Environments::Figures figures_of(const std::vector<float>& sums, const std::vector<std::uint32_t>& levels, bool rough) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = levels.size();
  double error = 0, speed = 0, steps = 0, level = 0;
  for (std::size_t i = 0; i < n; ++i) {
    error += sums[i];
    speed += sums[n + i];
    steps += sums[2 * n + i];
    level += levels[i];
  }
  return {rough ? level / static_cast<double>(n) : unknown, steps > 0 ? error / steps : unknown,
          steps > 0 ? speed / steps : unknown};
}

std::size_t quadruped_bytes(const QuadrupedOptions& options) {
  return store_words(options.environments) * sizeof(std::uint32_t) + terrain_bytes(options.rough);
}

std::unique_ptr<Environments> make_quadruped(const QuadrupedOptions& options) {
  if (options.environments < 1) throw std::runtime_error("a quadruped needs at least one environment");
  QuadrupedParts parts;
  parts.settings.seed = options.seed;
  parts.settings.first_environment = options.first_environment;
  parts.settings.rough = options.rough;
  parts.settings.speed = static_cast<float>(options.speed);
  parts.environments = options.environments;
  parts.gpu = options.gpu;
  return options.device == Device::cuda ? cuda_quadruped(parts) : cpu_quadruped(parts);
}

}  // namespace rv::envs
