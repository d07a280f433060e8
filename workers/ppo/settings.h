#pragma once

#include <array>

namespace rv::ppo {

/// Proximal policy optimisation (Schulman and others 2017) as RSL-RL sets it for a quadruped on rough terrain.
struct Settings {
  int steps = 24;  ///< of each environment in an iteration
  int epochs = 5, mini_batches = 4;
  std::array<int, 3> hidden{512, 256, 128};  ///< of actor and critic, with ELU
  double gamma = 0.99, lambda = 0.95;
  double clip = 0.2;  ///< of the ratio, and of the value's step
  double value_weight = 1, entropy = 0.005;
  double rate = 1e-3, wanted_kl = 0.01;  ///< where the rate begins; what it is adapted to
  double grad_norm = 1;
  double first_std = 1;
};

}  // namespace rv::ppo
