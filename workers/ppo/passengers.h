#pragma once

#include <cstddef>

#include "workers/ppo/learner.h"

namespace rv::ppo {

/// What travels behind the gradients through the sum over the ranks. Means are divided by the number of ranks before.
struct Passengers {
  float kl = 0, surrogate = 0, value = 0;
  float episodes = 0, episode_reward = 0, episode_length = 0;  ///< sums
  float step_reward = 0;
  float warned = 0;
};
inline constexpr std::size_t passenger_count = sizeof(Passengers) / sizeof(float);

/// Sums of an iteration's mini-batches.
struct LossFigures {
  double kl = 0, surrogate = 0, value = 0;
  double mini_batches = 0;
};

/// What the iteration came to, but for its times.
Outcome outcome_of(const Passengers& reduced, const LossFigures& losses, double rate, const float* log_std,
                   int actions);

}  // namespace rv::ppo
