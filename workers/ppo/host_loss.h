#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workers/ppo/host_network.h"
#include "workers/ppo/sample_loss.h"

namespace rv::ppo {

/// The data collected in an iteration, by step.
template <class T>
struct Collected {
  std::vector<T> observations;  ///< rows of layout.width
  std::vector<T> actions, means, log_densities, values, advantages, wanted_values;
  std::vector<T> log_std;  ///< of the policy during the collection
};

/// Means over a mini-batch.
struct MeanLoss {
  double surrogate = 0, value = 0, kl = 0;
};

/// The mean loss over these samples, and its gradient with respect to all parameters. `rows`: space for their
/// observations.
template <class T>
MeanLoss loss_gradient(const Layout& layout, HostNetwork<T>& network, const T* parameters, const Collected<T>& seen,
                       std::span<const std::uint32_t> samples, const LossWeights<T>& weights, std::vector<T>& rows,
                       T* gradients);

}  // namespace rv::ppo
