#include "workers/ppo/host_loss.h"

#include <algorithm>

namespace rv::ppo {

template <class T>
MeanLoss loss_gradient(const Layout& layout, HostNetwork<T>& network, const T* parameters, const Collected<T>& seen,
                       std::span<const std::uint32_t> samples, const LossWeights<T>& weights, std::vector<T>& rows,
                       T* gradients) {
  const auto width = static_cast<std::size_t>(layout.width), outputs = static_cast<std::size_t>(layout.outputs);
  const auto actions = static_cast<std::size_t>(layout.actions);
  rows.resize(samples.size() * width);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::copy_n(seen.observations.begin() + static_cast<std::ptrdiff_t>(samples[i] * width), width,
                rows.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  const int count = static_cast<int>(samples.size());
  network.forward(parameters, rows.data(), count);
  std::fill(gradients, gradients + layout.count, T(0));
  const T scale = T(1) / static_cast<T>(samples.size());
  const T* const log_std = parameters + layout.log_std;
  MeanLoss mean;
  T d_log_std[most_actions];
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t s = samples[i];
    const T* const out = network.out() + i * outputs;
    T* const d_out = network.d_out() + i * outputs;
    const Sample<T> old{&seen.actions[s * actions], &seen.means[s * actions], seen.log_std.data(),
                        seen.log_densities[s],      seen.values[s],           seen.advantages[s],
                        seen.wanted_values[s]};
    const auto loss =
        sample_loss(layout.actions, out, log_std, out[actions], old, weights, scale, d_out, d_log_std, d_out + actions);
    mean.surrogate += static_cast<double>(loss.surrogate * scale);
    mean.value += static_cast<double>(loss.value * scale);
    mean.kl += static_cast<double>(loss.kl * scale);
    for (std::size_t a = 0; a < actions; ++a) gradients[layout.log_std + a] += d_log_std[a];
  }
  network.backward(parameters, rows.data(), count, gradients);
  return mean;
}

template MeanLoss loss_gradient(const Layout&, HostNetwork<float>&, const float*, const Collected<float>&,
                                std::span<const std::uint32_t>, const LossWeights<float>&, std::vector<float>&, float*);
template MeanLoss loss_gradient(const Layout&, HostNetwork<double>&, const double*, const Collected<double>&,
                                std::span<const std::uint32_t>, const LossWeights<double>&, std::vector<double>&,
                                double*);

}  // namespace rv::ppo
