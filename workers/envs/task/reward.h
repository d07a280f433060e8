#pragma once

#include "workers/envs/task/observe.h"

namespace rv::envs {

/// The values of a leg in a step that enter the reward.
struct LegRewardTerms {
  float torques;        ///< Σ τ² of the last timestep
  float accelerations;  ///< Σ of the squared mean accelerations over the step
  float actions;        ///< Σ of the squared changes since the last action
  float air;            ///< s in the air minus 0.5, in the step in which the foot lands
  float collides;       ///< 1 if the shank touches
};

/// The air time minus 0.5 s of a foot that lands in this step, else 0. Updates `memory` for the next step.
RV_BOTH float air_time_ended(LegMemory& memory, bool touches) {
  const bool now = touches || memory.touching > 0;
  const bool first = now && memory.air_time > 0;
  memory.air_time += static_cast<float>(Task::step_time);
  const float air = first ? memory.air_time - 0.5F : 0.0F;
  if (now) memory.air_time = 0;
  memory.touching = touches ? 1.0F : 0.0F;
  return air;
}

RV_BOTH Column<float, 5> column(const LegRewardTerms& terms) {
  return {{terms.torques, terms.accelerations, terms.actions, terms.air, terms.collides}};
}

RV_BOTH float square(float x) {
  return x * x;
}

/// The reward of Rudin et al. 2021 (table 2 of the appendix, with the details of its published code). A negative sum
/// becomes 0, so that ending an episode early never pays.
RV_BOTH float reward(const BaseReadings& seen, Vec3<float> spin, const Command& command, const Column<float, 5>& legs,
                     bool rough) {
  using W = Task::Weight;
  const float width = static_cast<float>(Task::tracking_width);
  const float error = square(command.along - seen.velocity.x) + square(command.sideways - seen.velocity.y);
  const float turning = square(seen.turn - spin.z);
  const bool walks = square(command.along) + square(command.sideways) > 0.01F;
  float sum = static_cast<float>(W::tracking) * std::exp(-error / width) +
              static_cast<float>(W::turning) * std::exp(-turning / width) +
              static_cast<float>(W::bouncing) * square(seen.velocity.z) +
              static_cast<float>(W::rolling) * (square(spin.x) + square(spin.y)) +
              static_cast<float>(W::torque) * legs[0] + static_cast<float>(W::acceleration) * legs[1] +
              static_cast<float>(W::action) * legs[2] + static_cast<float>(W::collision) * legs[4];
  if (walks) sum += static_cast<float>(W::air) * legs[3];
  if (!rough) sum += static_cast<float>(W::tilt_on_flat) * (square(seen.gravity.x) + square(seen.gravity.y));
  return larger(sum * static_cast<float>(Task::step_time), 0.0F);
}

}  // namespace rv::envs
