#pragma once

#include "workers/envs/numbers/random.h"
#include "workers/envs/task/settings.h"

namespace rv::envs {

/// What random numbers are drawn for. Each has numbers of its own, so that none changes when another is drawn or not.
enum class Draw : std::uint32_t { place, motion, spin, legs, command, push, noise, height_noise };

/// The random words of an environment at its `tick`-th step, for one purpose and, of several blocks of it, `block`. The
/// environment counts over all ranks.
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

/// In [-most, most).
RV_BOTH float spread(std::uint32_t word, double most) {
  return uniform(word, static_cast<float>(-most), static_cast<float>(most));
}

}  // namespace rv::envs
