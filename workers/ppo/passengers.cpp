#include "workers/ppo/passengers.h"

#include <cmath>

namespace rv::ppo {

Outcome outcome_of(const Passengers& reduced, const LossFigures& losses, double rate, const float* log_std,
                   int actions) {
  Outcome outcome;
  outcome.step_reward = static_cast<double>(reduced.step_reward);
  outcome.episodes = static_cast<double>(reduced.episodes);
  if (reduced.episodes > 0) {
    outcome.episode_reward = static_cast<double>(reduced.episode_reward / reduced.episodes);
    outcome.episode_length = static_cast<double>(reduced.episode_length / reduced.episodes);
  }
  outcome.kl = losses.kl / losses.mini_batches;
  outcome.surrogate_loss = losses.surrogate / losses.mini_batches;
  outcome.value_loss = losses.value / losses.mini_batches;
  outcome.rate = rate;
  for (int i = 0; i < actions; ++i) {
    const auto one = static_cast<double>(log_std[i]);
    outcome.entropy += one + 1.4189385332046727;  // ½ + log √2π
    outcome.mean_std += std::exp(one) / actions;
  }
  outcome.warned = reduced.warned > 0;
  return outcome;
}

}  // namespace rv::ppo
