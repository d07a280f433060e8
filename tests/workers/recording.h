// Data for learning that is all made up, and how far two policies are apart on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "workers/envs/numbers/random.h"
#include "workers/ppo/host_network.h"
#include "workers/ppo/layout.h"

namespace rv::tests {

/// What environments say at each step of an iteration, whatever is done: numbers drawn from one seed.
struct Recording {
  std::vector<float> observations, rewards;  ///< observations of one step more: the first are those of the reset
  std::vector<std::uint8_t> terminated, timed_out;
};

inline Recording recording(std::size_t environments, std::size_t steps, std::size_t width) {
  Recording out;
  out.observations.resize((steps + 1) * environments * width);
  out.rewards.resize(steps * environments);
  out.terminated.resize(out.rewards.size());
  out.timed_out.resize(out.rewards.size());
  std::uint32_t number = 0;
  const auto uniform = [&number] { return envs::uniform(envs::philox({{number++, 0, 0, 0}}, 77).word[0], -1, 1); };
  for (auto& one : out.observations) one = uniform();
  for (auto& one : out.rewards) one = 0.1F * uniform();
  for (auto& one : out.terminated) one = uniform() > 0.96F ? 1 : 0;
  for (auto& one : out.timed_out) one = uniform() > 0.96F ? 1 : 0;
  return out;
}

/// Actions' means and values over a recording's observations.
struct Said {
  std::vector<double> means, values;
};

inline Said said_by(const ppo::Layout& layout, const std::vector<float>& parameters, const Recording& seen) {
  const auto width = static_cast<std::size_t>(layout.observations), padded = static_cast<std::size_t>(layout.width);
  const auto rows = seen.observations.size() / width;
  std::vector<double> observations(rows * padded);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(&seen.observations[i * width], width, &observations[i * padded]);
  }
  const std::vector<double> wide(parameters.begin(), parameters.end());
  ppo::HostNetwork<double> network(layout, static_cast<int>(rows));
  network.forward(wide.data(), observations.data(), static_cast<int>(rows));
  Said said;
  for (std::size_t i = 0; i < rows; ++i) {
    const double* const out = network.out() + i * static_cast<std::size_t>(layout.outputs);
    said.means.insert(said.means.end(), out, out + layout.actions);
    said.values.push_back(out[layout.actions]);
  }
  return said;
}

/// |a - b| / |b - from|: how far they are apart, of the way that one has come.
template <class T>
double apart(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& from) {
  double between = 0, moved = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    between += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    moved += std::pow(static_cast<double>(b[i]) - static_cast<double>(from[i]), 2);
  }
  return std::sqrt(between / moved);
}
}  // namespace rv::tests
