#pragma once

#include <cstddef>
#include <cstdint>

#include "workers/envs/numbers/both.h"

namespace rv::ppo {

/// The data of `steps` steps of `environments` environments, by step; `values` has one more step.
template <class T>
struct Trajectories {
  int steps, environments;
  const T* rewards;
  const T* values;
  const std::uint8_t* terminated;
  const std::uint8_t* timed_out;
};

/// Generalised advantage estimation (Schulman and others 2016) of one environment. An episode that ended only because
/// of its time limit would have continued: as in RSL-RL, the value of its last state is added to its last reward.
/// Writes the advantages and the target values.
template <class T>
RV_BOTH void estimate_advantages(const Trajectories<T>& seen, int environment, T gamma, T lambda, T* advantages,
                                 T* returns) {
  const auto stride = static_cast<std::size_t>(seen.environments);
  T advantage = 0;
  for (int step = seen.steps - 1; step >= 0; --step) {
    const auto at = static_cast<std::size_t>(step) * stride + static_cast<std::size_t>(environment);
    const bool cut = seen.timed_out[at] != 0 && seen.terminated[at] == 0;
    const T goes_on = seen.timed_out[at] != 0 || seen.terminated[at] != 0 ? T(0) : T(1);
    const T value = seen.values[at];
    const T reward = seen.rewards[at] + (cut ? gamma * value : T(0));
    const T surprise = reward + goes_on * gamma * seen.values[at + stride] - value;
    advantage = surprise + goes_on * gamma * lambda * advantage;
    advantages[at] = advantage;
    returns[at] = advantage + value;
  }
}

}  // namespace rv::ppo
