#pragma once

#include <cstdint>

#include "workers/envs/numbers/vector.h"

namespace rv::envs {

/// The task of the quadruped and the variation of its world. docs/environments.md lists these figures.
struct Task {
  static constexpr int joint_count = 12, body_observations = 48;
  static constexpr int along = 17, sideways = 11, heights = along * sideways;  ///< samples of the ground, 0.1 m apart
  static constexpr double step_time = 0.02;                                    ///< s, of a control step
  static constexpr int episode_steps = 1000;                                   ///< 20 s
  static constexpr int command_steps = 500;                                    ///< a new command each 10 s
  static constexpr int push_steps = 750;                                       ///< a push each 15 s
  static constexpr double action_scale = 0.25;                                 ///< rad

  static constexpr double fastest_command = 1, fastest_turn = 1;       ///< m/s along each axis; rad/s
  static constexpr double heading_gain = 0.5;                          ///< 1/s
  static constexpr double least_command = 0.2;                         ///< m/s; a slower command means "stand"
  static constexpr double least_friction = 0.5, most_friction = 1.25;  ///< coefficient, drawn for each episode
  static constexpr double most_added_mass = 5;                         ///< kg, added or removed
  static constexpr double push = 1;                                    ///< m/s along each axis
  static constexpr int first_levels = 6;  ///< levels of the terrain on which environments start

  /// Factors of the observations.
  struct Scale {
    static constexpr double velocity = 2, spin = 0.25, angle = 1, rate = 0.05, height = 5;
  };
  /// Noise of the observations, ± in m/s, rad/s, 1, rad, rad/s and m.
  struct Noise {
    static constexpr double velocity = 0.1, spin = 0.2, gravity = 0.05, angle = 0.01, rate = 1.5, height = 0.1;
  };
  /// Weights of the reward's terms; each is multiplied by the step's time.
  struct Weight {
    static constexpr double tracking = 1, turning = 0.5, bouncing = -2, rolling = -0.05, torque = -1e-5,
                            acceleration = -2.5e-7, action = -0.01, air = 1, collision = -1, tilt_on_flat = -5;
  };
  static constexpr double tracking_width = 0.25;  ///< of the tracking terms' exponentials, m²/s² and rad²/s²
};

/// Settings that differ between runs; the last four are for tests.
struct TaskSettings {
  std::uint64_t seed = 1;
  int first_environment = 0;
  bool rough = true;       ///< rough ground instead of flat
  float speed = 0;         ///< commanded speed ahead, m/s, of all robots; 0: each draws its own command
  bool noise = true;       ///< of observations
  bool pushes = true;      ///< every push_steps
  bool variation = true;   ///< of friction, mass and initial state
  bool curriculum = true;  ///< levels follow success
};

/// Observations per environment.
RV_BOTH int observations_of(bool rough) {
  return Task::body_observations + (rough ? Task::heights : 0);
}

}  // namespace rv::envs
