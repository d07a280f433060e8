#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workers/envs/quadruped.h"
#include "workers/envs/quadruped_paths.h"
#include "workers/envs/task/control_step.h"

namespace rv::envs {

/// Environments on the CPU with the buffers of their steps.
struct Rig {
  explicit Rig(const QuadrupedParts& given)
      : parts(given),
        environments(cpu_quadruped(given)),
        n(static_cast<std::size_t>(given.environments)),
        width(static_cast<std::size_t>(environments->sizes().observations)),
        actions(12 * n),
        observations(width * n),
        rewards(n),
        terminated(n),
        timed_out(n) {
    environments->reset(observations.data(), nullptr);
  }

  void step() {
    environments->step({actions.data(), observations.data(), rewards.data(), terminated.data(), timed_out.data()},
                       nullptr);
  }

  /// The same for everybody at a step, different from step to step.
  void step_randomly(std::uint32_t step) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      actions[i] = uniform(philox({{static_cast<std::uint32_t>(i), step, 0, 0}}, 3).word[0], -2, 2);
    }
    this->step();
  }

  /// Reads or changes the store in the state.
  template <class Change>
  void edit(const Change& change) {
    auto words = unpacked_state(parts, environments->state());
    change(store_at(words.data(), parts.environments));
    environments->restore(packed_state(parts, words));
  }

  QuadrupedParts parts;
  std::unique_ptr<Environments> environments;
  std::size_t n, width;
  std::vector<float> actions, observations, rewards;
  std::vector<std::uint8_t> terminated, timed_out;
};

inline QuadrupedParts parts(int environments, bool rough) {
  QuadrupedParts out;
  out.environments = environments;
  out.settings.rough = rough;
  out.settings.seed = 11;
  out.threads = 2;
  return out;
}

/// Nothing random: one robot in its stance.
inline QuadrupedParts calm(bool rough) {
  auto out = parts(1, rough);
  out.settings.noise = out.settings.pushes = out.settings.variation = out.settings.curriculum = false;
  return out;
}

inline Environment<Model::legs> environment(Rig& rig, int index) {
  Environment<Model::legs> e;
  rig.edit([&](const Store& store) { load(e, store, index, WholeTeam{}); });
  return e;
}

}  // namespace rv::envs
