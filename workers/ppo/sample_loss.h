#pragma once

#include <cmath>

#include "workers/envs/numbers/both.h"
#include "workers/ppo/policy.h"

namespace rv::ppo {

template <class T>
struct LossWeights {
  T clip, value_weight, entropy;
};

/// One step of one environment, as it was collected.
template <class T>
struct Sample {
  const T* action;
  const T* mean;
  const T* log_std;
  T log_density, value, advantage, wanted_value;
};

template <class T>
struct SampleLoss {
  T surrogate = 0, value = 0;
  T kl = 0;  ///< of the old policy from the new one: Σ log(σ/σ₀) + (σ₀² + (μ₀ - μ)²) / 2σ² - ½
};

/// The loss of one sample, surrogate + value_weight · value - entropy · Σ log σ, and its gradient times `scale`: to
/// d_mean and d_log_std (one per action) and d_value.
template <class T>
RV_BOTH SampleLoss<T> sample_loss(int actions, const T* mean, const T* log_std, T value, const Sample<T>& old,
                                  const LossWeights<T>& weights, T scale, T* d_mean, T* d_log_std, T* d_value) {
  SampleLoss<T> loss;
  T density = 0;
  for (int i = 0; i < actions; ++i) {
    density += log_density(old.action[i], mean[i], log_std[i]);
    const T spread = std::exp(old.log_std[i] - log_std[i]), moved = (old.mean[i] - mean[i]) * std::exp(-log_std[i]);
    loss.kl += log_std[i] - old.log_std[i] + T(0.5) * (spread * spread + moved * moved) - T(0.5);
  }
  const T ratio = std::exp(density - old.log_density);
  const T low = 1 - weights.clip, high = 1 + weights.clip;
  const T clipped_ratio = ratio < low ? low : (ratio > high ? high : ratio);
  const T free = -old.advantage * ratio, bound = -old.advantage * clipped_ratio;
  // If the clipped term is larger, the loss does not depend on the policy.
  const T d_density = free >= bound ? free * scale : T(0);
  loss.surrogate = free >= bound ? free : bound;
  for (int i = 0; i < actions; ++i) {
    const T z = (old.action[i] - mean[i]) * std::exp(-log_std[i]);
    d_mean[i] = d_density * z * std::exp(-log_std[i]);
    d_log_std[i] = d_density * (z * z - 1) - weights.entropy * scale;
  }
  const T step = value - old.value;
  const T bound_step = step < -weights.clip ? -weights.clip : (step > weights.clip ? weights.clip : step);
  const T miss = value - old.wanted_value, bound_miss = old.value + bound_step - old.wanted_value;
  // Within the bound both terms are equal; compare the steps, since rounding may make the terms differ.
  const bool unbound = step == bound_step || miss * miss >= bound_miss * bound_miss;
  loss.value = unbound ? miss * miss : bound_miss * bound_miss;
  *d_value = unbound ? 2 * miss * weights.value_weight * scale : T(0);
  return loss;
}

}  // namespace rv::ppo
