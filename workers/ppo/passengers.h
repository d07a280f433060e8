#pragma once

#include <cstddef>

#include "workers/ppo/learner.h"

namespace rv::ppo {

/// Numbers that are appended to the gradients and summed over the ranks with them. Means are divided by the number of
/// ranks first.
struct Passengers {
  float kl = 0, surrogate = 0, value = 0;
  float episodes = 0, episode_reward = 0, episode_length = 0;  ///< sums
  float step_reward = 0;
  float warned = 0;
};
inline constexpr std::size_t passenger_count = sizeof(Passengers) / sizeof(float);

/// Sums over the mini-batches of an iteration.
struct LossFigures {
  double kl = 0, surrogate = 0, value = 0;
  double mini_batches = 0;
};

/// The outcome of the iteration, except for its times.
Outcome outcome_of(const Passengers& reduced, const LossFigures& losses, double rate, const float* log_std,
                   int actions);

}  // namespace rv::ppo
