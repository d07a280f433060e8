#pragma once

#include <array>
#include <random>

#include "workers/envs/robot/substep.h"

namespace rv::envs {

/// A robot in double precision, and what it is tested with.
struct TestRobot {
  Body<double> body = {{0, 0, 100}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  std::array<Leg<double>, Model::legs> legs = standing_legs();

  static std::array<Leg<double>, Model::legs> standing_legs() {
    std::array<Leg<double>, Model::legs> out = {};
    for (int leg = 0; leg < Model::legs; ++leg) {
      for (int j = 0; j < Model::joints; ++j)
        out[static_cast<std::size_t>(leg)].angle[j] = stance_angle<double>(leg, j);
    }
    return out;
  }

  /// Turned any way, every joint anywhere within its limits, everything moving.
  static TestRobot random(std::mt19937_64& draw) {
    std::uniform_real_distribution<double> part(-1, 1);
    std::normal_distribution<double> normal;
    TestRobot robot;
    const double w = normal(draw), x = normal(draw), y = normal(draw), z = normal(draw);
    const double scale = 1 / std::sqrt(w * w + x * x + y * y + z * z);
    robot.body.rotation = {scale * w, scale * x, scale * y, scale * z};
    robot.body.position = {5 * part(draw), 5 * part(draw), 100 + part(draw)};
    robot.body.velocity = {3 * part(draw), 3 * part(draw), 3 * part(draw)};
    robot.body.spin = {5 * part(draw), 5 * part(draw), 5 * part(draw)};
    for (auto& leg : robot.legs) {
      for (int j = 0; j < Model::joints; ++j) {
        leg.angle[j] = angle_limit<double>(j) * part(draw);
        leg.rate[j] = 10 * part(draw);
      }
    }
    return robot;
  }
};

}  // namespace rv::envs
