#pragma once

#include <cmath>
#include <cstdint>

#include "workers/envs/numbers/both.h"
#include "workers/envs/numbers/random.h"

namespace rv::ppo {

/// The maximum number of actions.
inline constexpr int most_actions = 64;

struct FourNormals {
  float value[4];
};

/// Numbers 4·block to 4·block + 3 of the normal random numbers (Box and Muller 1958; mean 0, variance 1) of environment
/// `environment`, counted over all ranks, in step `step`.
RV_BOTH FourNormals four_normals(std::uint64_t seed, std::uint64_t step, std::uint32_t environment,
                                 std::uint32_t block) {
  constexpr std::uint64_t own = 0x6163746f72000000U;  // the environments draw from the same seed
  const auto bits = envs::philox(
      {{static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32), environment, block}}, seed ^ own);
  FourNormals normals;
  for (int i = 0; i < 4; i += 2) {
    // Half a step above 0, since log(0) is infinite.
    const float first = envs::uniform(bits.word[i]) + 0.5F / 16777216.0F;
    const float second = envs::uniform(bits.word[i + 1]);
    const float radius = std::sqrt(-2.0F * std::log(first));
    normals.value[i] = radius * std::cos(6.2831853F * second);
    normals.value[i + 1] = radius * std::sin(6.2831853F * second);
  }
  return normals;
}

/// The log density at `action` of one of several independent normal distributions; the caller adds them up.
template <class T>
RV_BOTH T log_density(T action, T mean, T log_std) {
  const T z = (action - mean) * std::exp(-log_std);
  return T(-0.5) * z * z - log_std - T(0.91893853320467274178);  // log √2π
}

/// Draws the actions of environment `environment` in step `step`: mean + σ · normal. Returns their log density.
RV_BOTH float choose_actions(int actions, const float* mean, const float* log_std, std::uint64_t seed,
                             std::uint64_t step, std::uint32_t environment, float* chosen) {
  float density = 0;
  for (int block = 0; 4 * block < actions; ++block) {
    const auto normals = four_normals(seed, step, environment, static_cast<std::uint32_t>(block));
    for (int i = 0; i < 4 && 4 * block + i < actions; ++i) {
      const int at = 4 * block + i;
      chosen[at] = mean[at] + std::exp(log_std[at]) * normals.value[i];
      density += log_density(chosen[at], mean[at], log_std[at]);
    }
  }
  return density;
}

}  // namespace rv::ppo
