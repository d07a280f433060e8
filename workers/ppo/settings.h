#pragma once

#include <array>

namespace rv::ppo {

/// The settings of proximal policy optimisation (Schulman and others 2017): RSL-RL's for a quadruped on rough terrain.
struct Settings {
  int steps = 24;  ///< of each environment per iteration
  int epochs = 5, mini_batches = 4;
  std::array<int, 3> hidden{512, 256, 128};  ///< of actor and critic, with ELU
  double gamma = 0.99, lambda = 0.95;
  double clip = 0.2;  ///< limit of the ratio, and of the value's change
  double value_weight = 1, entropy = 0.005;
  double rate = 1e-3, wanted_kl = 0.01;  ///< initial learning rate; KL divergence that it is adapted to
  double grad_norm = 1;
  double first_std = 1;
};

}  // namespace rv::ppo
