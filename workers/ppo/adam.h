#pragma once

#include <cmath>
#include <cstdint>

#include "workers/envs/numbers/both.h"

namespace rv::ppo {

/// The state of the learning. On a GPU it is in device memory, so that no step waits for the host.
struct Progress {
  std::uint64_t iteration = 0;  ///< done
  std::uint64_t updates = 0;    ///< completed updates of the parameters
  double rate = 0;
};

/// The factors of the next update. They depend only on sums over all ranks, so all ranks have the same.
template <class T>
struct Update {
  T step;   ///< rate / (1 - beta1ᵗ)
  T root2;  ///< 1 / √(1 - beta2ᵗ)
  T scale;  ///< factor of the gradients that limits their norm
};

/// The learning rate for the next update, from the KL divergence since the collection (RSL-RL's adaptive schedule).
RV_BOTH double adapted_rate(double rate, double kl, double wanted) {
  if (kl > 2 * wanted) return rate / 1.5 < 1e-5 ? 1e-5 : rate / 1.5;
  if (kl < wanted / 2 && kl > 0) return rate * 1.5 > 1e-2 ? 1e-2 : rate * 1.5;
  return rate;  // also if kl is NaN
}

inline constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

/// Counts the update, adapts the rate, and returns the update's factors. `squares` is the squared norm of the gradient.
template <class T>
RV_BOTH Update<T> next_update(Progress& at, double kl, double squares, double wanted_kl, double most_norm) {
  at.rate = adapted_rate(at.rate, kl, wanted_kl);
  ++at.updates;
  const auto t = static_cast<double>(at.updates);
  const double scale = most_norm / (std::sqrt(squares) + 1e-6);
  return {static_cast<T>(at.rate / (1 - std::pow(beta1, t))), static_cast<T>(1 / std::sqrt(1 - std::pow(beta2, t))),
          static_cast<T>(scale < 1 ? scale : 1)};
}

/// Adam (Kingma and Ba 2015), with epsilon outside the root as in PyTorch.
template <class T>
RV_BOTH T adam(T parameter, T gradient, T& first, T& second, const Update<T>& update) {
  const T g = gradient * update.scale;
  first = static_cast<T>(beta1) * first + static_cast<T>(1 - beta1) * g;
  second = static_cast<T>(beta2) * second + static_cast<T>(1 - beta2) * g * g;
  return parameter - update.step * first / (std::sqrt(second) * update.root2 + static_cast<T>(epsilon));
}

}  // namespace rv::ppo
