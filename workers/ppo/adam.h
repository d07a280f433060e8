#pragma once

#include <cmath>
#include <cstdint>

#include "workers/envs/numbers/both.h"

namespace rv::ppo {

/// Where the learning stands. On a GPU it lies there: nothing waits for the host to decide.
struct Progress {
  std::uint64_t iteration = 0;  ///< done
  std::uint64_t updates = 0;    ///< of the parameters, done
  double rate = 0;
};

/// How the next update is done. All of it is decided from sums over all ranks, so that they agree.
template <class T>
struct Update {
  T step;   ///< rate / (1 - beta1ᵗ)
  T root2;  ///< 1 / √(1 - beta2ᵗ)
  T scale;  ///< of the gradients, so that their norm is no larger than it may be
};

/// The rate for the next update by how far the policy has moved since the collection (RSL-RL's adaptive schedule).
RV_BOTH double adapted_rate(double rate, double kl, double wanted) {
  if (kl > 2 * wanted) return rate / 1.5 < 1e-5 ? 1e-5 : rate / 1.5;
  if (kl < wanted / 2 && kl > 0) return rate * 1.5 > 1e-2 ? 1e-2 : rate * 1.5;
  return rate;  // also where kl is no number
}

inline constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

/// Counts the update, adapts the rate, and says how to go on. `squares` is the gradient's squared norm.
template <class T>
RV_BOTH Update<T> next_update(Progress& at, double kl, double squares, double wanted_kl, double most_norm) {
  at.rate = adapted_rate(at.rate, kl, wanted_kl);
  ++at.updates;
  const auto t = static_cast<double>(at.updates);
  const double scale = most_norm / (std::sqrt(squares) + 1e-6);
  return {static_cast<T>(at.rate / (1 - std::pow(beta1, t))), static_cast<T>(1 / std::sqrt(1 - std::pow(beta2, t))),
          static_cast<T>(scale < 1 ? scale : 1)};
}

/// Adam (Kingma and Ba 2015), with PyTorch's place of epsilon.
template <class T>
RV_BOTH T adam(T parameter, T gradient, T& first, T& second, const Update<T>& update) {
  const T g = gradient * update.scale;
  first = static_cast<T>(beta1) * first + static_cast<T>(1 - beta1) * g;
  second = static_cast<T>(beta2) * second + static_cast<T>(1 - beta2) * g * g;
  return parameter - update.step * first / (std::sqrt(second) * update.root2 + static_cast<T>(epsilon));
}

}  // namespace rv::ppo
