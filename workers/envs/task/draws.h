#pragma once

#include "workers/envs/numbers/random.h"
#include "workers/envs/task/settings.h"

namespace rv::envs {

/// The purpose of a random number. Each purpose has its own numbers, so that one draw does not change the others.
enum class Draw : std::uint32_t { place, motion, spin, legs, command, push, noise, height_noise };

/// The random words of an environment in step `tick` for one purpose; `block` counts blocks of four words.
/// `environment` counts over all ranks.
struct Dice {
  std::uint64_t seed;
  std::uint32_t environment, tick;
  RV_BOTH Random4 operator()(Draw purpose, std::uint32_t block = 0) const {
    return philox({{environment, tick, static_cast<std::uint32_t>(purpose), block}}, seed);
  }
};

RV_BOTH Dice dice(const TaskSettings& settings, int index, std::uint32_t tick) {
  return {settings.seed, static_cast<std::uint32_t>(settings.first_environment + index), tick};
}

/// A number in [-most, most).
RV_BOTH float spread(std::uint32_t word, double most) {
  return uniform(word, static_cast<float>(-most), static_cast<float>(most));
}

}  // namespace rv::envs
